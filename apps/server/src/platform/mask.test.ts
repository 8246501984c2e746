//! Tests of masking personal data.
import { expect, it } from 'vitest';
import type { Actor } from './call.ts';
import { maskEmail, maskSentence, maskText, seesPersonalData, shownTo } from './mask.ts';

it.each([
  ['ada@example.com', 'a•••@e•••.com'],
  ['ada.lovelace@mail.example.co.uk', 'a•••@m•••.uk'],
  ['a@b', 'a•••@b•••'],
  ['not an address at all', '••• all'],
])('%s becomes %s', (email, masked) => {
  expect(maskEmail(email)).toBe(masked);
});

it('leaves nothing of a short value', () => {
  expect(maskText('1234567')).toBe('•••');
  expect(maskText('12345678')).toBe('•••5678');
});

it.each([
  ['No account of ada@example.com, ask.', 'No account of a•••@e•••.com, ask.'],
  ['<bo@example.com>', '<b•••@e•••.com>'],
  ['https://a.example/x?to=ada@example.com&y=1', 'https://a.example/x?to=a•••@e•••.com&y=1'],
  ['https://a.example/ada%40example.com', 'https://a.example/a•••@e•••.com'],
  ['DE89 3704 0044 0532 0130 00 IS CLOSED', '•••3000 IS CLOSED'],
  ['account GB29NWBK60161331926819.', 'account •••6819.'],
  ['Norway: NO93 8601 1117 947', 'Norway: •••7947'],
])('masks the personal data in “%s”', (text, masked) => {
  expect(maskSentence(text)).toBe(masked);
});

it.each([
  'usr_01h9z8x7c6v5b4n3m2k1j0h9g8f',
  '3F2C8F0E-6F0A-4C8A-9A54-0D2F6D1F5A11',
  'ab12cdef3456789012345678901234567890123456789012345678901234cdef',
  `G${'A'.repeat(55)}`,
  `CA12${'Z7'.repeat(26)}`,
  '1000000.00',
  'USDC',
  '2026-01-02T03:04:05.678Z',
  '2026-01-02T03:04:05+01:00',
  'PO12ABCD1234EFGH5678',
  'https://a.example/@ada',
  'an @ alone',
])('leaves %s as it is', (text) => {
  expect(maskSentence(text)).toBe(text);
});

it('takes no longer for a long text without personal data', () => {
  const long = 'x'.repeat(200_000);
  const before = process.cpuUsage();
  expect(maskSentence(long)).toBe(long);
  expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
});

it('masks for operators, not for keys', () => {
  expect(seesPersonalData({ kind: 'system', id: 'system', marketplace: '1' })).toBe(true);
  expect(seesPersonalData({ kind: 'master', id: 'master' })).toBe(true);
  expect(seesPersonalData({ kind: 'operator' } as never)).toBe(false);
  expect(seesPersonalData({ kind: 'person' } as never)).toBe(false);
});

it('masks by field name at any depth, and leaves everything else as it is', () => {
  const operator = { kind: 'operator' } as Actor;
  const address = 'ada@example.com';
  const seen = {
    amount: 5n,
    after: { email: address, name: 'Ada Lovelace', externalUserId: `member:${address}` },
    payload: { destinationType: 'payment_account', destinationRef: address, email: null },
    list: [
      { destination: { type: 'payment_account', ref: address } },
      { type: 'bank', ref: 'DE00 1234' },
    ],
    crypto: {
      destination: { type: 'crypto', ref: 'GABC' },
      destinationType: 'crypto',
      destinationRef: 'GABC',
    },
    key: { name: 'a key', externalUserId: 'customer-7', paymentAccountUserId: 'account-1234' },
    event: { failureReason: `no account of ${address}`, metadata: { to: [address, 7, null] } },
    milestone: { ref: `for ${address}`, name: address },
    dispute: { assignedTo: 'agent@example.com', payload: { reviewedBy: 'agent@example.com' } },
  };
  const masked = 'a•••@e•••.com';
  expect(shownTo<unknown>(operator, seen)).toEqual({
    amount: 5n,
    after: { email: masked, name: '•••lace', externalUserId: 'm•••@e•••.com' },
    payload: { destinationType: 'payment_account', destinationRef: masked, email: null },
    list: [
      { destination: { type: 'payment_account', ref: masked } },
      { type: 'bank', ref: '•••1234' },
    ],
    crypto: seen.crypto,
    key: { name: 'a key', externalUserId: 'customer-7', paymentAccountUserId: '•••1234' },
    event: { failureReason: `no account of ${masked}`, metadata: { to: [masked, 7, null] } },
    milestone: { ref: `for ${masked}`, name: masked },
    dispute: seen.dispute,
  });
  expect(shownTo({ kind: 'key' } as Actor, seen)).toBe(seen);
});

it("masks a member's internet address, and no other", () => {
  const operator = { kind: 'operator' } as Actor;
  const addresses = ['198.51.100.7', '2001:db8:1:2::7'];
  for (const who of [{ actorType: 'MEMBER' }, { actorId: 'usr_1' }])
    expect(addresses.map((address) => shownTo(operator, { ...who, address }).address)).toEqual([
      '198.51.•••',
      '2001:db8:1:•••',
    ]);
  for (const who of [{ actorType: 'API_KEY' }, { actorId: 'opr_1' }, {}])
    expect(shownTo(operator, { ...who, address: '198.51.100.7' }).address).toBe('198.51.100.7');
});
