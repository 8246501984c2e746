//! Amounts as the vendor writes them: JSON numbers in whole units. Inside they are stroops.
import { amountText, readAmount } from '../ledger/amount.ts';

/** Seven places, as the ledger has; what is finer is rounded away. */
export function readNumberAmount(value: number): bigint {
  return value < 0 ? -readAmount((-value).toFixed(7)) : readAmount(value.toFixed(7));
}

export function numberAmount(stroops: bigint): number {
  return +amountText(stroops);
}
