//! What is left of personal data when it is masked.
import { expect, it } from 'vitest';
import type { Actor } from './call.ts';
import { maskEmail, maskText, seesPersonalData, shownTo } from './mask.ts';

it.each([
  ['ada@example.com', 'a•••@e•••.com'],
  ['ada.lovelace@mail.example.co.uk', 'a•••@m•••.uk'],
  ['a@b', 'a•••@b•••'],
  ['not an address at all', '••• all'],
])('%s becomes %s', (email, masked) => {
  expect(maskEmail(email)).toBe(masked);
});

it('leaves nothing of what is short', () => {
  expect(maskText('1234567')).toBe('•••');
  expect(maskText('12345678')).toBe('•••5678');
});

it('hides from people, not from keys', () => {
  expect(seesPersonalData({ kind: 'system', id: 'system', marketplace: '1' })).toBe(true);
  expect(seesPersonalData({ kind: 'master', id: 'master' })).toBe(true);
  expect(seesPersonalData({ kind: 'operator' } as never)).toBe(false);
  expect(seesPersonalData({ kind: 'person' } as never)).toBe(false);
});

it('masks by name, however deep, and leaves everything else as it is', () => {
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
  });
  expect(shownTo({ kind: 'key' } as Actor, seen)).toBe(seen);
});
