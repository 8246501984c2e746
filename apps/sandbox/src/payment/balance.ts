//! The enterprise balance: the platform's money at the payment provider.
import type { Change, Store } from '../store.ts';

/** Kept as ('payment-balance', 'enterprise'). Pending is what has been sent and not yet arrived. */
export interface Balance {
  readonly available: bigint;
  readonly pending: bigint;
}

export const OPENING_CENTS = 1_000_000_00n;

export function balanceOf(store: Store): Balance {
  const stored = store.get<Balance>('payment-balance', 'enterprise');
  return stored ?? { available: OPENING_CENTS, pending: 0n };
}

/** To be committed with what caused it; read and committed without a pause in between. */
export function moveBalance(store: Store, by: Partial<Balance>): Change {
  const { available, pending } = balanceOf(store);
  const next: Balance = {
    available: available + (by.available ?? 0n),
    pending: pending + (by.pending ?? 0n),
  };
  return ['payment-balance', 'enterprise', next];
}
