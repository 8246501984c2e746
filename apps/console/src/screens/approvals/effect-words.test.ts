import { describe, expect, it } from 'vitest';
import {
  adjustmentWords,
  decisionWords,
  payoutWords,
  postingWords,
  refundWords,
  releaseWords,
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
      'The seller receives 513.09 USD: 540.10 USD awarded, less the fee of 27.01 USD.',
      'The buyer gets back 1,359.90 USD.',
      '1,900.00 USD leave escrow; the dispute is decided and the order is closed.',
    ]);
  });

  it('says who gets nothing', () => {
    const none = { fee: '0.00', releaseAmount: '0.00', sellerReceives: '0.00' };
    expect(decisionWords({ ...PREVIEW, ...none })[0]).toMatch(/nothing, and no fee/);
    expect(decisionWords({ ...PREVIEW, buyerReceives: '0.00' })[1]).toMatch(/nothing back/);
  });
});

it('a release is net of the fee, a refund is whole', () => {
  const order = { amount: '1000.00', currency: 'USD', fee: '50.05' } as const;
  expect(releaseWords(order)[0]).toBe(
    'The seller receives 949.95 USD: 1,000.00 USD out of escrow, less the fee of 50.05 USD.',
  );
  expect(refundWords(order)[0]).toMatch(/gets back 1,000.00 USD out of escrow; no fee/);
});

describe('an adjustment', () => {
  const user = { externalUserId: 'ada' };
  const balance = { available: '10.00', currency: 'USDC' } as const;

  it('says whom, how much, and the balance after it', () => {
    const credit = adjustmentWords({ kind: 'credit', amount: '2.50', user, balance });
    expect(credit[0]).toBe('Adds 2.50 USDC to what ada has available.');
    expect(credit[1]).toBe('10.00 USDC are available now, 12.50 USDC then.');
    const debit = adjustmentWords({ kind: 'debit', amount: '10.00', user, balance });
    expect(debit[0]).toBe('Takes 10.00 USDC from what ada has available.');
    expect(debit[1]).toMatch(/now, 0.00 USDC then/);
  });

  it('says that it would be refused', () => {
    const debit = adjustmentWords({ kind: 'debit', amount: '10.01', user, balance });
    expect(debit[1]).toBe('Only 10.00 USDC are available now: it would be refused.');
  });
});

it('a pay-out says to whom and where', () => {
  const destination = { type: 'payment_account', ref: 'a•••@x.example' } as const;
  const paid = { amount: '600.00', currency: 'USD', destination } as const;
  expect(payoutWords(paid, { externalUserId: 'ada' })[0]).toBe(
    'Sends 600.00 USD to the payment account a•••@x.example of ada; no fee is taken from it.',
  );
});

it('a posting says what it posts, and that the difference has changed since', () => {
  const exception = { amount: '-40.2500000', currency: 'USD' } as const;
  const asked = { action: 'WRITE_OFF', expectedAmount: '-40.25' };
  expect(postingWords(exception, asked)).toEqual([
    'Posts 40.2500000 USD against provider fees: a loss of the house.',
  ]);
  expect(postingWords({ ...exception, amount: '-1.0000000' }, asked).at(-1)).toBe(
    'It was -40.25 USD when it was asked for: it would be refused.',
  );
});
