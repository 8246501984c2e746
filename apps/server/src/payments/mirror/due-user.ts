//! Users whose addresses have to be checked: the only SQL that writes mirror_queue.
import { instantText } from '@holdfast/kernel/clock';
import type { UserId } from '@holdfast/kernel/ids';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';

/**
 * Money of the user has moved on the network, or the books changed without a balance event. A plain
 * insert, so that the caller never waits for a lock.
 */
export async function markMirrorDue(tx: Tx, userId: UserId): Promise<void> {
  await tx.query(sql`
    insert into mirror_queue (marketplace_id, user_id, has_network_movement, created_at)
    values (${tx.marketplace}, ${userId}, true, ${instantText(tx.now)})`);
}

/** The books of these users changed. */
export async function markBooksDue(tx: Tx, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return;
  await tx.query(sql`
    insert into mirror_queue (marketplace_id, user_id, has_network_movement, created_at)
    select ${tx.marketplace}, changed, false, ${instantText(tx.now)}
    from unnest(${[...userIds]}::text[]) as changed`);
}

/** All users whose books and address are known to differ: for use when events are missing. */
export async function markDifferingDue(tx: Tx): Promise<number> {
  const inserted = await tx.query(sql`
    with booked as (
      select owner_id as user_id, case currency when 'XLM' then 'XLM' else 'USDC' end as asset,
        sum(available + reserved) * 100000 as stroops
      from account where marketplace_id = ${tx.marketplace} and kind = 'user' group by 1, 2
    ), known as (
      select user_id, asset, stroops - dust_stroops as stroops from wallet_mirror
      where marketplace_id = ${tx.marketplace}
    )
    insert into mirror_queue (marketplace_id, user_id, has_network_movement, created_at)
    select distinct ${tx.marketplace}::bigint, user_id, false, ${instantText(tx.now)}::timestamptz
    from booked full join known using (user_id, asset)
    where coalesce(booked.stroops, 0) <> coalesce(known.stroops, 0) returning id`);
  return inserted.length;
}

/** True while a movement has not been observed. */
export async function hasMovedUnseen(tx: Tx, userId: UserId): Promise<boolean> {
  const found = await tx.query(sql`
    select from mirror_queue
    where marketplace_id = ${tx.marketplace} and user_id = ${userId} and has_network_movement limit 1`);
  return found.length > 0;
}

export type WaitReason = 'NETWORK' | 'DIFFERENCE' | 'MOVING' | 'SHARE' | 'TREASURY' | 'ESCALATED';

export interface DueUser {
  readonly userId: UserId;
  /** The rows that mark the user due. A check that starts now does not clear later rows. */
  readonly rows: readonly string[];
  /** Why, and how often, the user had to wait before; null if never. */
  readonly waited: { readonly reason: WaitReason; readonly attempts: number } | null;
}

const ROWS_MAX = 2000;

/** The longest due first, without users who wait for a time. */
export async function listDue(tx: Tx, atMost: number): Promise<DueUser[]> {
  const rows = await tx.query<{
    user_id: UserId;
    ids: string[];
    reason: WaitReason | null;
    attempts: number | null;
  }>(sql`
    select due.user_id, due.ids, w.reason, w.attempts from (
      select user_id, array_agg(id::text) as ids, min(id) as since from (
        select d.user_id, d.id from mirror_queue d
        where d.marketplace_id = ${tx.marketplace} and not exists (
          select from mirror_backoff w where w.marketplace_id = d.marketplace_id
            and w.user_id = d.user_id and w.next_poll_at > ${instantText(tx.now)})
        order by d.id limit ${ROWS_MAX}) oldest
      group by user_id order by since limit ${atMost}) due
    left join mirror_backoff w on w.marketplace_id = ${tx.marketplace} and w.user_id = due.user_id
    order by due.since`);
  return rows.map((row) => ({
    userId: row.user_id,
    rows: row.ids,
    waited:
      row.reason === null || row.attempts === null
        ? null
        : { reason: row.reason, attempts: row.attempts },
  }));
}

/** Clears the rows that a check has covered, for all of these users. */
export async function clearDue(tx: Tx, users: readonly DueUser[]): Promise<void> {
  await tx.query(sql`
    delete from mirror_queue where marketplace_id = ${tx.marketplace}
      and id = any (${users.flatMap(({ rows }) => rows)}::bigint[])`);
}

export async function clearWaits(tx: Tx, userIds: readonly string[]): Promise<void> {
  await tx.query(sql`
    delete from mirror_backoff
    where marketplace_id = ${tx.marketplace} and user_id = any (${[...userIds]}::text[])`);
}

/** The first and the longest wait: twice as long each time for the same reason. */
const WAITS: Readonly<Record<WaitReason, readonly [firstMs: number, mostMs: number]>> = {
  NETWORK: [1000, 30_000],
  DIFFERENCE: [1000, 30_000],
  MOVING: [1000, 5000],
  SHARE: [30_000, 600_000],
  TREASURY: [30_000, 600_000],
  ESCALATED: [30_000, 3_600_000],
};

export async function waitFor(tx: Tx, userId: UserId, reason: WaitReason): Promise<void> {
  const [found] = await tx.query<Row<'mirror_backoff', 'reason' | 'attempts'>>(sql`
    select reason, attempts from mirror_backoff
    where marketplace_id = ${tx.marketplace} and user_id = ${userId}`);
  const attempts = found?.reason === reason ? found.attempts + 1 : 1;
  const [firstMs, mostMs] = WAITS[reason];
  const until = tx.now + Math.min(mostMs, firstMs * 2 ** Math.min(attempts - 1, 20));
  await tx.query(sql`
    insert into mirror_backoff (marketplace_id, user_id, reason, attempts, next_poll_at)
    values (${tx.marketplace}, ${userId}, ${reason}, ${attempts}, ${instantText(until)})
    on conflict (marketplace_id, user_id) do update
    set reason = excluded.reason, attempts = excluded.attempts,
      next_poll_at = excluded.next_poll_at`);
}
