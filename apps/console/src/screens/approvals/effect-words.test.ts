import { describe, expect, it } from 'vitest';
import {
  adjustmentWords,
  decisionWords,
  liftWords,
  payoutWords,
  postingWords,
  refundWords,
  releaseWords,
  writeOffWords,
} from '#screens/approvals/effect-words.ts';

const PREVIEW = {
  decision: 'SPLIT',
  currency: 'USD',
  amount: '1900.00',
  releaseAmount: '540.10',
  refundAmount: '1359.90',
  fee: '27.01',
  sellerReceives: '513.09',
  buyerReceives: '1359.90',
} as const;

describe('a decision', () => {
  it('says what both sides get, and the fee', () => {
    expect(decisionWords(PREVIEW)).toEqual([
      'The seller receives 513.09 USD: 540.10 USD awarded, less a 27.01 USD fee.',
      'The buyer is refunded 1,359.90 USD.',
      '1,900.00 USD is paid from escrow. The dispute is resolved and the order is closed.',
    ]);
  });

  it('says who gets nothing', () => {
    const none = { fee: '0.00', releaseAmount: '0.00', sellerReceives: '0.00' };
    expect(decisionWords({ ...PREVIEW, ...none })[0]).toMatch(/nothing. No fee/);
    expect(decisionWords({ ...PREVIEW, buyerReceives: '0.00' })[1]).toMatch(/is not refunded/);
  });
});

it('a release is net of the fee, a refund is whole', () => {
  const order = { amount: '1000.00', currency: 'USD', fee: '50.05' } as const;
  expect(releaseWords(order)[0]).toBe(
    'The seller receives 949.95 USD: 1,000.00 USD from escrow, less a 50.05 USD fee.',
  );
  expect(refundWords(order)[0]).toMatch(/is refunded 1,000.00 USD from escrow. No fee/);
});

describe('an adjustment', () => {
  const user = { externalUserId: 'ada' };
  const balance = { available: '10.00', currency: 'USDC' } as const;

  it('names the user, the amount and the balance after it', () => {
    const credit = adjustmentWords({ kind: 'credit', amount: '2.50', user, balance });
    expect(credit[0]).toBe('Credits 2.50 USDC to the available balance of ada.');
    expect(credit[1]).toBe('Available balance: 10.00 USDC before, 12.50 USDC after.');
    const debit = adjustmentWords({ kind: 'debit', amount: '10.00', user, balance });
    expect(debit[0]).toBe('Debits 10.00 USDC from the available balance of ada.');
    expect(debit[1]).toMatch(/before, 0.00 USDC after/);
  });

  it('says that it would fail', () => {
    const debit = adjustmentWords({ kind: 'debit', amount: '10.01', user, balance });
    expect(debit[1]).toBe('The available balance is only 10.00 USDC, so the debit would fail.');
  });
});

it('lifting a stop says which, and that it was lifted since', () => {
  expect(liftWords({ level: 'MONEY', reason: 'a leaked key' })[0]).toBe(
    'Lifts the stop of the level Money, which was set because: a leaked key',
  );
  expect(liftWords(undefined)).toEqual(['The stop was lifted since, so this would fail.']);
});

it('a write-off says who bears it and what stays, and that it would fail', () => {
  const request = { amount: '40.00', user: { externalUserId: 'ada' } };
  expect(writeOffWords({ ...request, debt: { owed: '1045.00', currency: 'USD' } })).toEqual([
    'Writes off 40.00 USD that ada owes; the marketplace bears the loss.',
    'Debt: 1,045.00 USD before, 1,005.00 USD after.',
  ]);
  expect(writeOffWords({ ...request, debt: { owed: '39.99', currency: 'USD' } })).toEqual([
    'ada owes only 39.99 USD, so the write-off would fail.',
  ]);
});

it('a payout says to whom and where, and which limits the approval passes', () => {
  const destination = { type: 'payment_account', ref: 'a•••@x.example' } as const;
  const paid = { amount: '600.00', currency: 'USD', destination } as const;
  expect(payoutWords(paid, { externalUserId: 'ada' })[0]).toBe(
    'Sends 600.00 USD to ada, payment account a•••@x.example. No fee is charged.',
  );
  expect(payoutWords(paid, { externalUserId: 'ada' }).at(-1)).toMatch(/passes the waiting time/);
});

it('a posting says what it posts, and that the difference has changed since', () => {
  const cause = 'PROVIDER_BALANCE_CHANGED';
  const exception = { cause, amount: '-40.2500000', currency: 'USD' } as const;
  const request = { action: 'WRITE_OFF', expectedAmount: '-40.25' };
  expect(postingWords(exception, request)).toEqual([
    'Posts 40.2500000 USD to the provider fees account as a loss.',
  ]);
  expect(postingWords({ ...exception, amount: '-1.0000000' }, request).at(-1)).toBe(
    'The difference has changed since the request was made (it was -40.25 USD), so the posting would fail.',
  );
});
