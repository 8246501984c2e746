//! What is left of personal data when it is masked.
import { expect, it } from 'vitest';
import { maskEmail, maskText, seesPersonalData } from './mask.ts';

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
