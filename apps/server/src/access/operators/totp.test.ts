import { decodeBase32, encodeBase32 } from '@holdfast/kernel/base32';
import { expect, it } from 'vitest';
import { newTotpSecret, totpCode, totpStepOf, totpUri } from './totp.ts';

const SECRET = Buffer.from('12345678901234567890');

/** The last six digits of the codes in RFC 6238, appendix B. */
it.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('computes, at %i seconds, the code %s', (seconds, code) => {
  expect(totpCode(SECRET, seconds * 1000)).toBe(code);
  expect(totpStepOf(SECRET, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
});

it('accepts the codes beside the current one, and no others', () => {
  const now = 1_700_000_000_000;
  const current = Math.floor(now / 30_000);
  const stepOf = (steps: number) => totpStepOf(SECRET, totpCode(SECRET, now + steps * 30_000), now);
  expect([-2, -1, 0, 1, 2].map(stepOf)).toEqual([
    undefined,
    current - 1,
    current,
    current + 1,
    undefined,
  ]);
  for (const wrong of ['', '12345', '1234567', 'abcdef'])
    expect(totpStepOf(SECRET, wrong, now)).toBeUndefined();
});

it('writes secrets as authenticators read them', () => {
  expect(encodeBase32(SECRET)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  const secret = newTotpSecret();
  expect(secret).toHaveLength(20);
  expect(decodeBase32(encodeBase32(secret))).toEqual(new Uint8Array(secret));
  expect(encodeBase32(Buffer.from('f'))).toBe('MY');
  expect(totpUri(SECRET, 'a+b@example.test')).toBe(
    'otpauth://totp/Holdfast%3Aa%2Bb%40example.test' +
      `?secret=${encodeBase32(SECRET)}&issuer=Holdfast&digits=6&period=30`,
  );
});
