//! Compares the payment provider's balance with the amount that its records and our books explain.
//! There is one balance for the whole deployment, so only the house's run covers it.

import { stroopsOfMinor, stroopsText } from '../../providers/network/stroops.ts';
import { done, type Outcome } from '../../providers/outcome.ts';
import { agreed, type Finding, found } from '../comparison/finding.ts';
import { type HouseDeps, readHousePosition } from '../solvency/house-snapshot.ts';
import { expectedAtProvider } from '../solvency/solvency-terms.ts';

export const BALANCE_KEY = 'balance:payment_provider';

/** Plain JSON, because it is stored between the steps of a run. */
export interface BalanceSnapshot {
  readonly holds: string;
  readonly expected: string;
}

/** Null where there is no provider, or the house's capital there was never recorded. */
export async function fetchBalanceSnapshot(
  app: HouseDeps,
): Promise<Outcome<BalanceSnapshot | null>> {
  const { USDC: position } = await readHousePosition(app);
  if (app.payments === undefined || !position.isOpened.payment_provider) return done(null);
  const balance = await app.payments.balance();
  if (balance.kind !== 'done') return balance;
  const { availableMinor, pendingMinor } = balance.value;
  return done({
    holds: String(stroopsOfMinor(availableMinor + pendingMinor)),
    expected: String(expectedAtProvider(position)),
  });
}

/**
 * Differences in the lists have exceptions of their own, or are in transit. The rest is a change
 * without any record at the provider. Undefined when the balance moved while the lists were read.
 */
export function compareBalance(
  before: BalanceSnapshot,
  after: BalanceSnapshot,
  driftMinor: bigint,
): Finding | undefined {
  if (before.holds !== after.holds || before.expected !== after.expected) return undefined;
  const [holds, expected] = [BigInt(after.holds), BigInt(after.expected)];
  const explained = expected + stroopsOfMinor(driftMinor);
  const rest = holds - explained;
  if (rest === 0n) return agreed('matched', 'USD', holds);
  return found({
    key: BALANCE_KEY,
    cause: 'PROVIDER_BALANCE_CHANGED',
    currency: 'USD',
    stroops: rest,
    clearing: 'payment_clearing',
    resourceType: null,
    resourceId: null,
    ours: { expected: stroopsText(expected), explained: stroopsText(explained) },
    theirs: { balance: stroopsText(holds) },
    recordAt: null,
  });
}
