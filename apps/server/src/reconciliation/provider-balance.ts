//! The payment provider's balance against what its own records and our books explain of it. There
//! is one for the whole deployment, so only the house's run answers for it.
import { done, type Outcome } from '../providers/outcome.ts';
import { stroopsOfMinor, stroopsText } from '../providers/stroops.ts';
import { agreed, type Finding, found } from './finding.ts';
import { type HouseLooker, readHousePosition } from './sight-house.ts';
import { expectedAtProvider } from './solvency-terms.ts';

export const BALANCE_KEY = 'balance:payment_provider';

/** As JSON: it is kept between the steps of a run. */
export interface BalanceSight {
  readonly holds: string;
  readonly expected: string;
}

/** Null where there is no provider, or nobody ever noted what the house has there. */
export async function sightBalance(app: HouseLooker): Promise<Outcome<BalanceSight | null>> {
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
 * What the lists explain is named by exceptions of its own, or on its way; what is left is a change
 * that no record of the provider tells of. Undefined when it moved while the lists were read.
 */
export function compareBalance(
  before: BalanceSight,
  after: BalanceSight,
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
