//! What withdrawals use of the payout limits: the only SQL that writes it.
import { refuse } from '@holdfast/contract/errors';
import { PAYOUT_LIMIT_HOURS, type PayoutUnit } from '@holdfast/contract/limits';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { WithdrawalId } from '@holdfast/kernel/ids';
import { type Query, sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import type { Payout } from './payout-destination.ts';

const WINDOW_MS = PAYOUT_LIMIT_HOURS * 3_600_000;
/** Far more than a commit takes, so that a claim counts until its commit is known. */
const CLAIM_MS = 60_000;

/** USD and USDC are worth the same, and the same asset backs both. */
export function unitOf({ currency }: Pick<Payout, 'currency'>): PayoutUnit {
  return currency === 'XLM' ? 'XLM' : 'USD';
}

/**
 * One claim of a marketplace at a time. The transaction is read committed: the statements that
 * follow see every claim made before.
 */
export async function lockUses(tx: Tx): Promise<void> {
  const name = `payout_use ${tx.marketplace}`;
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
}

/** What counts in 24 hours, without the withdrawal itself, in minor units. */
export interface UsedSums {
  readonly user: bigint;
  readonly marketplace: bigint;
  /** Of the user, to destinations that had not waited their time. */
  readonly cooling: bigint;
}

export async function sumUses(tx: Tx, payout: Payout): Promise<UsedSums> {
  const [row] = await tx.query<Readonly<Record<keyof UsedSums, string>>>(sql`
    select coalesce(sum(amount), 0)::text as marketplace,
      coalesce(sum(amount) filter (where user_id = ${payout.userId}), 0)::text as "user",
      coalesce(sum(amount) filter (where user_id = ${payout.userId} and is_cooling), 0)::text
        as cooling
    from payout_use
    where marketplace_id = ${tx.marketplace} and unit = ${unitOf(payout)}
      and claimed_at > ${instantText(tx.now - WINDOW_MS)} and withdrawal_id <> ${payout.id}
      and given_back_at is null
      and (committed_at is not null or claimed_at > ${instantText(tx.now - CLAIM_MS)})`);
  const { user = '0', marketplace = '0', cooling = '0' } = row ?? {};
  return { user: BigInt(user), marketplace: BigInt(marketplace), cooling: BigInt(cooling) };
}

/** When so much no longer counts that the payout stays within the limit. */
export async function findFreeAt(
  tx: Tx,
  payout: Payout,
  of: 'user' | 'marketplace',
  limitMinor: bigint,
): Promise<Instant | undefined> {
  const [row] = await tx.query<{ claimed_at: Instant | null }>(
    usesThatMustEnd(tx, payout, of, limitMinor),
  );
  return row?.claimed_at == null ? undefined : row.claimed_at + WINDOW_MS;
}

/** From the newest on, uses may stay as long as they leave room; the first that does not, ends. */
function usesThatMustEnd(
  tx: Tx,
  payout: Payout,
  of: 'user' | 'marketplace',
  limitMinor: bigint,
): Query {
  return sql`
    select max(claimed_at) as claimed_at from (
      select claimed_at, sum(amount) over (order by claimed_at desc) as newer
      from payout_use
      where marketplace_id = ${tx.marketplace} and unit = ${unitOf(payout)}
        and (${of} = 'marketplace' or user_id = ${payout.userId})
        and claimed_at > ${instantText(tx.now - WINDOW_MS)} and withdrawal_id <> ${payout.id}
        and given_back_at is null
        and (committed_at is not null or claimed_at > ${instantText(tx.now - CLAIM_MS)})) uses
    where newer > ${limitMinor - payout.amount.minor}`;
}

/** Counts from here on; a claim that is repeated counts once. */
export async function claimUse(tx: Tx, payout: Payout, isCooling: boolean): Promise<void> {
  const now = instantText(tx.now);
  await tx.query(sql`
    insert into payout_use (marketplace_id, withdrawal_id, user_id, unit, amount, is_cooling,
      claimed_at)
    values (${tx.marketplace}, ${payout.id}, ${payout.userId}, ${unitOf(payout)},
      ${payout.amount.minor}, ${isCooling}, ${now})
    on conflict (marketplace_id, withdrawal_id) do update
      set claimed_at = ${now}, is_cooling = ${isCooling}
      where payout_use.committed_at is null`);
}

/** In the transaction of the commit. Refuses where the claim has ended meanwhile. */
export async function commitUse(tx: Tx, { id }: Pick<Payout, 'id'>): Promise<void> {
  const committed = await tx.query(sql`
    update payout_use set committed_at = ${instantText(tx.now)}
    where marketplace_id = ${tx.marketplace} and withdrawal_id = ${id} and committed_at is null
      and claimed_at > ${instantText(tx.now - CLAIM_MS)}
    returning withdrawal_id`);
  const reason = 'the payout was not confirmed in time';
  if (committed.length === 0) refuse('SERVICE_UNAVAILABLE', { reason, retryAfter: 1 });
}

/**
 * The money is back for certain: the withdrawal counts no more. Not for what a notification alone
 * reports, as the payout may have been made.
 */
export async function giveUseBack(tx: Tx, id: WithdrawalId): Promise<void> {
  await tx.query(sql`
    update payout_use set given_back_at = ${instantText(tx.now)}
    where marketplace_id = ${tx.marketplace} and withdrawal_id = ${id} and given_back_at is null`);
}
