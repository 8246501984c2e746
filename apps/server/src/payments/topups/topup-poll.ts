//! When each top-up is polled next: the only SQL that writes those rows.
//!
//! Each top-up whose end is not certain has a row, and a small job polls those that are due. It is
//! not an operation: most top-ups wait days for a payer, and an open operation would block the
//! top-up. A worker claims a poll by moving its next time, so any number share the work and no
//! crash loses it.
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { TopupId } from '@holdfast/kernel/ids';
import type pg from 'pg';
import type { RowNumber } from '../../platform/database/database.ts';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
const WAIT_MS_MIN = 2 * SECOND_MS;
const WAIT_MS_MAX = 10 * MINUTE_MS;
/** Pay-ins of the provider end by themselves within about two weeks. */
const OFTEN_FOR_MS = 20 * DAY_MS;
const HASTEN_INTERVAL_MS = 10 * SECOND_MS;

/** Half of the time waited so far, within bounds; after weeks, once a day. */
export function waitAfter(waitedMs: number): number {
  if (waitedMs > OFTEN_FOR_MS) return DAY_MS;
  return Math.min(WAIT_MS_MAX, Math.max(WAIT_MS_MIN, Math.round(waitedMs / 2)));
}

/** The top-up changed, or may have: polling becomes frequent again. */
export async function schedulePoll(tx: Tx, topupId: TopupId, inMs = WAIT_MS_MIN): Promise<void> {
  const now = instantText(tx.now);
  const next = instantText(tx.now + inMs);
  await tx.query(sql`
    insert into topup_poll (marketplace_id, topup_id, since, next_poll_at)
    values (${tx.marketplace}, ${topupId}, ${now}, ${next})
    on conflict (marketplace_id, topup_id) do update set since = ${now}, next_poll_at = ${next}`);
}

/** Has it polled now, also if its end was certain. */
export async function pollNow(tx: Tx, topupId: TopupId): Promise<void> {
  const now = instantText(tx.now);
  await tx.query(sql`
    insert into topup_poll (marketplace_id, topup_id, since, next_poll_at)
    values (${tx.marketplace}, ${topupId}, ${now}, ${now})
    on conflict (marketplace_id, topup_id)
      do update set next_poll_at = least(topup_poll.next_poll_at, ${now})`);
}

/** The end is certain, so polling stops. */
export async function endPolling(tx: Tx, topupId: TopupId): Promise<void> {
  await tx.query(sql`
    delete from topup_poll where marketplace_id = ${tx.marketplace} and topup_id = ${topupId}`);
}

export async function isPolled(tx: Tx, topupId: TopupId): Promise<boolean> {
  const found = await tx.query(sql`
    select from topup_poll where marketplace_id = ${tx.marketplace} and topup_id = ${topupId}`);
  return found.length === 1;
}

/** Moves the next poll to now, at a limited rate, because the caller has proven nothing. */
export async function hastenPoll(tx: Tx, topupId: TopupId): Promise<void> {
  const now = instantText(tx.now);
  await tx.query(sql`
    update topup_poll set next_poll_at = least(next_poll_at, ${now}), poll_requested_at = ${now}
    where marketplace_id = ${tx.marketplace} and topup_id = ${topupId}
      and coalesce(poll_requested_at, '-infinity') <= ${instantText(tx.now - HASTEN_INTERVAL_MS)}`);
}

/** True for one caller: it makes the poll, and the next one is due after a while. */
export async function claimPoll(tx: Tx, topupId: TopupId): Promise<boolean> {
  const [row] = await tx.query<Row<'topup_poll', 'since'>>(sql`
    select since from topup_poll
    where marketplace_id = ${tx.marketplace} and topup_id = ${topupId}
      and next_poll_at <= ${instantText(tx.now)} for update skip locked`);
  if (row === undefined) return false;
  const next = tx.now + waitAfter(tx.now - row.since);
  await tx.query(sql`
    update topup_poll set next_poll_at = ${instantText(next)}
    where marketplace_id = ${tx.marketplace} and topup_id = ${topupId}`);
  return true;
}

export interface DueTopup {
  readonly marketplace: RowNumber;
  readonly topupId: TopupId;
}

/** Searches all marketplaces, and returns only which top-ups are due. */
export async function listDueTopups(
  pool: pg.Pool,
  count: number,
  now: Instant,
): Promise<DueTopup[]> {
  const { rows } = await pool.query<{ marketplace_id: RowNumber; topup_id: TopupId }>(
    'select marketplace_id, topup_id from work.topups_to_poll($1, $2)',
    [count, instantText(now)],
  );
  return rows.map((row) => ({ marketplace: row.marketplace_id, topupId: row.topup_id }));
}
