//! Due times of automatic transitions. They are stored, so that a restart loses none.
import type { Change, Store } from '../store.ts';
import type { World } from '../world.ts';

export type DueKind = 'payin' | 'payout' | 'withdrawal';

/** Kept as ('payment-due', kind.id); `at` is world time. What happens is up to the status. */
export interface Due {
  readonly kind: DueKind;
  readonly id: string;
  readonly at: number;
}

/** Kept as ('settings', 'payment'). Null: only control moves it on. */
export interface PaymentSettings {
  readonly payinDelayMs: number | null;
  readonly payoutDelayMs: number | null;
  /** What a payin costs: a share of its amount in hundredths of a percent, and cents. */
  readonly payinFeeBasisPoints: bigint;
  readonly payinFeeFixed: bigint;
}

export const DAY_MS = 86_400_000;

export function settingsOf(store: Store): PaymentSettings {
  const stored = store.get<Partial<PaymentSettings>>('settings', 'payment');
  return {
    payinDelayMs: 0,
    payoutDelayMs: 1000,
    payinFeeBasisPoints: 100n,
    payinFeeFixed: 10n,
    ...stored,
  };
}

export function dueIn(world: World, kind: DueKind, id: string, delayMs: number | null): Change {
  if (delayMs === null) return notDue(kind, id);
  const due: Due = { kind, id, at: world.clock.now() + delayMs };
  return ['payment-due', `${kind}.${id}`, due];
}

export function notDue(kind: DueKind, id: string): Change {
  return ['payment-due', `${kind}.${id}`, null];
}
