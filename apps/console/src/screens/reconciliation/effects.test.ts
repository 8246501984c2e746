import { expect, it } from 'vitest';
import { effectOf } from '#screens/reconciliation/effects.ts';

it('reverses the posting when the other side has less', () => {
  const more = effectOf('BOOK_TO_SUSPENSE', { amount: '12.50', currency: 'USD' }, '');
  const less = effectOf('BOOK_TO_SUSPENSE', { amount: '-12.50', currency: 'USD' }, '');
  expect(more[0]).toBe('Posts 12.50 USD from the clearing account into suspense.');
  expect(less[0]).toBe('Posts 12.50 USD out of suspense to the clearing account.');
});

it('names whom a credit goes to, once it is known', () => {
  const exception = { amount: '12.50', currency: 'USD' } as const;
  expect(effectOf('CREDIT_USER', exception, 'usr_ada')[1]).toContain('to usr_ada.');
  expect(effectOf('CREDIT_USER', exception, '')[1]).toContain('the selected user');
});

it('calls a write-off a loss or a gain', () => {
  expect(effectOf('WRITE_OFF', { amount: '-3.00', currency: 'USD' }, '')[0]).toContain('a loss');
  expect(effectOf('WRITE_OFF', { amount: '3.00', currency: 'USD' }, '')[0]).toContain('a gain');
});
