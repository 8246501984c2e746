//! Where the money of an order went, as bands whose widths follow the amounts.
import type { OrderMoney } from '@holdfast/sdk';
import { centsOf, perMille } from '#parts/money/cents.ts';

export interface FlowBand {
  readonly name: string;
  readonly amount: string;
  /** Of the order's amount. */
  readonly perMille: bigint;
  readonly tone: 'held' | 'seller' | 'fee' | 'buyer';
}

/** Only what there is: a band of nothing is not drawn. */
export function flowBands(money: OrderMoney): readonly FlowBand[] {
  const whole = centsOf(money.amount) ?? 0n;
  const band = (name: string, amount: string, tone: FlowBand['tone']): FlowBand => ({
    name,
    amount,
    perMille: perMille(centsOf(amount) ?? 0n, whole),
    tone,
  });
  return [
    band('Reserved', money.reserved, 'held'),
    band('In escrow', money.remainder, 'held'),
    band('Released to seller', money.released, 'seller'),
    band('Fee', money.fee, 'fee'),
    band('Refunded to buyer', money.refunded, 'buyer'),
  ].filter(({ amount }) => (centsOf(amount) ?? 0n) > 0n);
}
