import { expect, it } from 'vitest';
import { effectOf } from '#screens/reconciliation/effects.ts';

const cause = 'PROVIDER_BALANCE_CHANGED';

it('reverses the posting when the other side has less', () => {
  const more = effectOf('BOOK_TO_SUSPENSE', { cause, amount: '12.50', currency: 'USD' }, '');
  const less = effectOf('BOOK_TO_SUSPENSE', { cause, amount: '-12.50', currency: 'USD' }, '');
  expect(more[0]).toBe('Posts 12.50 USD from the clearing account into suspense.');
  expect(less[0]).toBe('Posts 12.50 USD out of suspense to the clearing account.');
});

it('names whom a credit goes to, once it is known', () => {
  const exception = { cause, amount: '12.50', currency: 'USD' } as const;
  expect(effectOf('CREDIT_USER', exception, 'usr_ada')[1]).toContain('to usr_ada.');
  expect(effectOf('CREDIT_USER', exception, '')[1]).toContain('the selected user');
});

it('calls a write-off a loss or a gain', () => {
  expect(effectOf('WRITE_OFF', { cause, amount: '-3.00', currency: 'USD' }, '')[0]).toContain(
    'a loss',
  );
  expect(effectOf('WRITE_OFF', { cause, amount: '3.00', currency: 'USD' }, '')[0]).toContain(
    'a gain',
  );
});

it('of unconfirmed money leaves it to the user, or takes it back', () => {
  const exception = { cause: 'MONEY_UNCONFIRMED', amount: '-3.00', currency: 'USD' } as const;
  expect(effectOf('WRITE_OFF', exception, '')[0]).toContain('The user keeps 3.00 USD');
  expect(effectOf('CHARGE_USER', exception, 'usr_ada')[0]).toContain('back from usr_ada');
  expect(effectOf('APPLY_AGAIN', exception, '')[0]).toContain('Checks the record');
});
