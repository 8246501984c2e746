import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isPaymentSigned } from './payment-signature.ts';

const SECRET = `whsec_${Buffer.from('a secret').toString('base64')}`;
const OTHER = `whsec_${Buffer.from('another one').toString('base64')}`;
const NOW = 1_800_000_000_000;
const text = '{"a": 1}';

const macOf = (id: string, timestamp: string, body: string, secret = SECRET) => {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  return createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
};

const message = (changes: Record<string, string | undefined> = {}, secret = SECRET) => {
  const [id, timestamp] = ['msg_1', changes['timestamp'] ?? String(NOW / 1000)];
  return { id, timestamp, signature: `v1,${macOf(id, timestamp, text, secret)}`, text, ...changes };
};
const isGood = (changes: Record<string, string | undefined>, secrets = [SECRET]) =>
  isPaymentSigned(secrets, message(changes) as never, NOW);

describe('verifying a signature', () => {
  it('accepts one over the raw bytes, the id and the time', () => {
    expect(isGood({})).toBe(true);
    expect(isPaymentSigned([OTHER, SECRET], message(), NOW)).toBe(true);
    expect(isPaymentSigned([SECRET, OTHER], message({}, OTHER), NOW)).toBe(true);
    const plain = SECRET.replace('whsec_', '');
    expect(isPaymentSigned([plain], message(), NOW)).toBe(true);
  });

  it('accepts a valid one among others, in any position', () => {
    const { signature } = message();
    expect(isGood({ signature: `v1,bm90IGdvb2Q= v1a,xxxx ${signature} v2,zz` })).toBe(true);
  });

  it.each([
    ['of another body', { text: `${text} ` }],
    ['of another id', { id: 'msg_2' }],
    ['without an id', { id: undefined }],
    ['without a time', { timestamp: undefined, signature: 'v1,AAAA' }],
    ['that is missing', { signature: undefined }],
    ['that is empty', { signature: '' }],
    ['of another version', { signature: message().signature.replace('v1,', 'v2,') }],
    ['without a version', { signature: message().signature.slice(3) }],
    ['that is cut short', { signature: 'v1,AAAA' }],
  ])('refuses one %s', (_, changes) => {
    expect(isPaymentSigned([SECRET], { ...message(), ...changes } as never, NOW)).toBe(false);
  });

  it('refuses one with another secret, or with none to compare', () => {
    expect(isPaymentSigned([OTHER], message(), NOW)).toBe(false);
    expect(isPaymentSigned([], message(), NOW)).toBe(false);
  });

  it.each([
    [-300, true],
    [300, true],
    [-301, false],
    [301, false],
  ])('checks the time of one made %i seconds from now: %s', (seconds, isTimely) => {
    const timestamp = String(NOW / 1000 + seconds);
    expect(isPaymentSigned([SECRET], message({ timestamp }), NOW)).toBe(isTimely);
  });

  it('refuses one without a valid time', () => {
    for (const timestamp of ['1e9', '-1', '', 'now', `${NOW}`])
      expect(isPaymentSigned([SECRET], message({ timestamp }), NOW)).toBe(false);
  });
});
