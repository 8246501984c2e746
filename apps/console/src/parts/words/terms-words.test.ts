//! Tests that a change of terms says what will be different, and nothing else.
import { expect, it } from 'vitest';
import { changesIn, owedInAll, termsWords } from '#parts/words/terms-words.ts';

const NOW = { payinFee: 'MARKETPLACE', suspendOnReversal: true, debtLimit: '1000.00' } as const;

it('names each term that changes, with its present value', () => {
  expect(termsWords(NOW, { payinFee: 'USER', suspendOnReversal: false, debtLimit: '25' })).toEqual([
    'Payment provider’s fee on top-ups: paid by the user (now: paid by the marketplace).',
    'User whose payment was reversed: stays active (now: is frozen).',
    'Payouts stop when users owe more than: 25.00 USD (now: 1,000.00 USD).',
    'Top-ups that were created before keep the fee rule of that time.',
  ]);
});

it('leaves out what stays, however the amount is written', () => {
  expect(changesIn(NOW, { ...NOW, debtLimit: '1000' })).toEqual({});
  expect(changesIn(NOW, { ...NOW, debtLimit: '0' })).toEqual({ debtLimit: '0' });
  expect(termsWords(NOW, { payinFee: 'MARKETPLACE' })).toHaveLength(1);
});

it('sums what users owe in dollars', () => {
  const line = (kind: 'debt' | 'user', currency: 'USD' | 'USDC' | 'XLM', total: string) =>
    ({ kind, currency, accounts: 1, available: total, reserved: '0.00', total }) as const;
  const debts = [line('debt', 'USD', '-45.10'), line('debt', 'USDC', '-1.00')];
  const others = [line('debt', 'XLM', '-7.00'), line('user', 'USD', '12.00')];
  expect(owedInAll({ lines: [...debts, ...others] })).toBe('46.10');
  expect(owedInAll({ lines: [] })).toBe('0.00');
});
