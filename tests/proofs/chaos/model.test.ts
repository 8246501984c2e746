//! The clients' arithmetic: fees to the cent, and balances after each ending.
import { describe, expect, it } from 'vitest';
import { feeOf, purses, wrongFees } from './model.ts';
import type { SeenOrder } from './order.ts';
import { anOrder, SPLIT_DISPUTE } from './testing/seen-order.ts';

describe('the fee', () => {
  it.each([
    [10_000n, '5.00', 500n],
    [10_000n, '0.00', 0n],
    [10_001n, '50.00', 5000n],
    [10_003n, '50.00', 5002n],
    [33_333n, '7.33', 2443n],
    [50n, '1.00', 0n],
    [150n, '1.00', 2n],
  ])('of %s cents at %s percent is %s', (cents, rate, fee) => {
    expect(feeOf(cents, rate)).toBe(fee);
  });

  it('is reported where it does not match the rate of the order', () => {
    expect(wrongFees([anOrder(), anOrder({ id: 'ord_2', fee: '5.01' })])).toEqual([
      'ord_2: a fee of 5.01 on 100.00 at 5.00 %',
    ]);
  });
});

describe('expected balances of buyer and seller with 500.00 each', () => {
  const after = (changes: Partial<SeenOrder>) => {
    const all = purses(['usr_buyer', 'usr_seller'], 50_000n, [anOrder(changes)]);
    return [...all.values()].map(({ available, reserved }) => `${available} ${reserved}`);
  };
  const disputed = { dispute: SPLIT_DISPUTE, closeReason: 'SPLIT' };

  it.each<[string, Partial<SeenOrder>, string[]]>([
    ['after a release', {}, ['40000 0', '59500 0']],
    ['after a refund', { closeReason: 'REFUNDED' }, ['50000 0', '50000 0']],
    ['after a split', disputed, ['45500 0', '54275 0']],
    ['after a cancel', { closeReason: 'CANCELED' }, ['50000 0', '50000 0']],
    [
      'before the reservation',
      { status: 'ORDER_CREATED', closeReason: null },
      ['50000 0', '50000 0'],
    ],
    [
      'after the reservation',
      { status: 'FUNDS_RESERVED', closeReason: null },
      ['40000 10000', '50000 0'],
    ],
    ['while in progress', { status: 'IN_PROGRESS', closeReason: null }, ['40000 0', '50000 0']],
    ['while in dispute', { status: 'DISPUTED', closeReason: null }, ['40000 0', '50000 0']],
  ])('are computed %s', (_, changes, expected) => {
    expect(after(changes)).toEqual(expected);
  });
});
