//! Checks a payout against the waiting time of its destination and the sums of 24 hours, and claims
//! its part of them. It runs in a transaction of its own, just before that of the commit.
//!
//! Claims of a marketplace are made one by one under a lock, which no serializable transaction can
//! wait for: its snapshot would be older than what it waited for. So concurrent commits exceed
//! neither the limit of a user nor that of a marketplace, and those of different users do not
//! conflict.
import { Refusal } from '@holdfast/contract/errors';
import { COOLING_ALLOWANCE, isAboveLimit } from '@holdfast/contract/limits';
import { assert } from '@holdfast/kernel/assert';
import type { Instant } from '@holdfast/kernel/clock';
import { Money, minorText } from '@holdfast/kernel/money';
import { type Actor, type Call, NO_MARKETPLACE } from '../../platform/call.ts';
import type { Config } from '../../platform/config/config.ts';
import { type Transactor, type Tx, transact } from '../../platform/database/transact.ts';
import { keyedSemaphore } from '../../platform/keyed-semaphore.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { findWaitEnd, type Payout, trustDestination } from './payout-destination.ts';
import { claimUse, commitUse, findFreeAt, lockUses, sumUses, unitOf } from './payout-use.ts';

type LimitSettings = Pick<
  Config,
  | 'HOLDFAST_DESTINATION_COOLING_HOURS'
  | 'HOLDFAST_USER_PAYOUT_LIMIT'
  | 'HOLDFAST_USER_PAYOUT_LIMIT_XLM'
  | 'HOLDFAST_MARKETPLACE_PAYOUT_LIMIT'
  | 'HOLDFAST_MARKETPLACE_PAYOUT_LIMIT_XLM'
>;

export interface PayoutLimiter extends Transactor {
  readonly config: LimitSettings;
}

type WaitingPayout = Payout & { readonly createdAt: Instant };

/** Those that wait for each other in this process hold no connection to the database meanwhile. */
const claims = keyedSemaphore(1);

/** Returns the refusal, as the caller may have others to give first. */
export async function claimPayout(
  app: PayoutLimiter,
  call: Call,
  payout: WaitingPayout,
): Promise<Refusal | undefined> {
  if (hasSecondApprover(call.actor)) return undefined;
  const { actor, requestId, client } = call;
  const marketplace = 'marketplace' in actor ? actor.marketplace : NO_MARKETPLACE;
  const own = { actor, requestId, client, idempotency: undefined };
  return claims.run(marketplace, () =>
    transact(app, own, (tx) => claim(tx, app.config, payout), 'read committed'),
  );
}

/** In the transaction of the commit. What two operators confirm counts against no limit. */
export async function settleClaim(
  tx: Tx,
  { HOLDFAST_DESTINATION_COOLING_HOURS: hours }: LimitSettings,
  payout: WaitingPayout,
): Promise<void> {
  if (!hasSecondApprover(tx.actor)) return commitUse(tx, payout);
  if ((await findWaitEnd(tx, payout, hours)) === undefined) return;
  await trustDestination(tx, payout);
  await audit(tx, { action: 'DESTINATION_TRUSTED', resourceId: payout.id });
}

/** A key never has one. */
function hasSecondApprover(actor: Actor): boolean {
  return actor.kind === 'operator' && actor.approvedBy !== undefined;
}

async function claim(
  tx: Tx,
  limits: LimitSettings,
  payout: WaitingPayout,
): Promise<Refusal | undefined> {
  await lockUses(tx);
  const waitEnd = await findWaitEnd(tx, payout, limits.HOLDFAST_DESTINATION_COOLING_HOURS);
  const refusal = await check(tx, limits, payout, waitEnd);
  if (refusal === undefined) await claimUse(tx, payout, waitEnd !== undefined);
  // The request of an operator becomes an approval, which has its own entry.
  else if (tx.actor.kind !== 'operator')
    await audit(tx, {
      action: 'WITHDRAWAL_COMMIT_REFUSED',
      resourceId: payout.id,
      after: { code: refusal.code, ...refusal.details },
      result: 'FAILURE',
    });
  return refusal;
}

const LIMITS = {
  user: { USD: 'HOLDFAST_USER_PAYOUT_LIMIT', XLM: 'HOLDFAST_USER_PAYOUT_LIMIT_XLM' },
  marketplace: {
    USD: 'HOLDFAST_MARKETPLACE_PAYOUT_LIMIT',
    XLM: 'HOLDFAST_MARKETPLACE_PAYOUT_LIMIT_XLM',
  },
} as const;

async function check(
  tx: Tx,
  limits: LimitSettings,
  payout: Payout,
  waitEnd: Instant | undefined,
): Promise<Refusal | undefined> {
  const unit = unitOf(payout);
  const { minor } = payout.amount;
  const used = await sumUses(tx, payout);
  const money = { requested: payout.amount.text, currency: unit };
  const allowance = Money.read(COOLING_ALLOWANCE[unit], unit);
  assert(allowance !== undefined, 'the allowance is an amount');
  if (waitEnd !== undefined && isAboveLimit(used.cooling + minor, allowance.minor))
    return new Refusal('DESTINATION_COOLING', {
      ...money,
      allowance: allowance.text,
      used: minorText(used.cooling),
      retryAfter: secondsUntil(tx, waitEnd),
    });
  for (const whose of ['user', 'marketplace'] as const) {
    const limit = limits[LIMITS[whose][unit]] ?? null;
    if (limit === null || !isAboveLimit(used[whose] + minor, limit)) continue;
    const freeAt = minor > limit ? undefined : await findFreeAt(tx, payout, whose, limit);
    return new Refusal('LIMIT_REACHED', {
      ...money,
      of: whose,
      limit: minorText(limit),
      used: minorText(used[whose]),
      ...(freeAt === undefined ? {} : { retryAfter: secondsUntil(tx, freeAt) }),
    });
  }
  return undefined;
}

function secondsUntil(tx: Tx, at: Instant): number {
  return Math.ceil((at - tx.now) / 1000);
}
