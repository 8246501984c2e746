//! When to look at a top-up next: the only SQL on those rows.
//!
//! A row of its own for each top-up whose end is not certain yet, and a small job over those that
//! are due: no operation, since most top-ups wait for a person, for days, and an operation that
//! stays open would keep others from the top-up. A look is one worker's as soon as it has moved the
//! time of the next one, so that any number share the work and none that dies takes it along.
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { TopupId } from '@holdfast/kernel/ids';
import type pg from 'pg';
import type { RowNumber } from '../platform/database.ts';
import { sql } from '../platform/sql.ts';
import type { Tx } from '../platform/transact.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
const WAIT_MS_MIN = 2 * SECOND_MS;
const WAIT_MS_MAX = 10 * MINUTE_MS;
/** Pay-ins of the provider end by themselves within about two weeks. */
const OFTEN_FOR_MS = 20 * DAY_MS;
const HASTENED_EVERY_MS = 10 * SECOND_MS;

/** Half as long again as it has been waited for, within bounds; after weeks, once a day. */
export function waitAfter(waitedMs: number): number {
  if (waitedMs > OFTEN_FOR_MS) return DAY_MS;
  return Math.min(WAIT_MS_MAX, Math.max(WAIT_MS_MIN, Math.round(waitedMs / 2)));
}

/** Something came on, or may have: from here on it is looked at often again. */
export async function scheduleLook(tx: Tx, topupId: TopupId, inMs = WAIT_MS_MIN): Promise<void> {
  const now = instantText(tx.now);
  const next = instantText(tx.now + inMs);
  await tx.query(sql`
    insert into topup_look (marketplace_id, topup_id, since, next_look_at)
    values (${tx.marketplace}, ${topupId}, ${now}, ${next})
    on conflict (marketplace_id, topup_id) do update set since = ${now}, next_look_at = ${next}`);
}

/** Its end is certain. */
export async function endLooks(tx: Tx, topupId: TopupId): Promise<void> {
  await tx.query(sql`
    delete from topup_look where marketplace_id = ${tx.marketplace} and topup_id = ${topupId}`);
}

export async function isLookedAt(tx: Tx, topupId: TopupId): Promise<boolean> {
  const found = await tx.query(sql`
    select from topup_look where marketplace_id = ${tx.marketplace} and topup_id = ${topupId}`);
  return found.length === 1;
}

/** Brings the next look forward to now, once in a while: whoever asks so has proven nothing. */
export async function hastenLook(tx: Tx, topupId: TopupId): Promise<void> {
  const now = instantText(tx.now);
  await tx.query(sql`
    update topup_look set next_look_at = least(next_look_at, ${now}), hastened_at = ${now}
    where marketplace_id = ${tx.marketplace} and topup_id = ${topupId}
      and coalesce(hastened_at, '-infinity') <= ${instantText(tx.now - HASTENED_EVERY_MS)}`);
}

/** True for one of all who ask: the look is theirs, and the next one is due after a while. */
export async function takeLook(tx: Tx, topupId: TopupId): Promise<boolean> {
  const [row] = await tx.query<{ since: Instant }>(sql`
    select since from topup_look
    where marketplace_id = ${tx.marketplace} and topup_id = ${topupId}
      and next_look_at <= ${instantText(tx.now)} for update skip locked`);
  if (row === undefined) return false;
  const next = tx.now + waitAfter(tx.now - row.since);
  await tx.query(sql`
    update topup_look set next_look_at = ${instantText(next)}
    where marketplace_id = ${tx.marketplace} and topup_id = ${topupId}`);
  return true;
}

export interface DueTopup {
  readonly marketplace: RowNumber;
  readonly topupId: TopupId;
}

/** Over all marketplaces: where to look, not what is there. */
export async function listDueTopups(
  pool: pg.Pool,
  count: number,
  now: Instant,
): Promise<DueTopup[]> {
  const { rows } = await pool.query<{ marketplace_id: RowNumber; topup_id: TopupId }>(
    'select marketplace_id, topup_id from work.topups_due($1, $2)',
    [count, instantText(now)],
  );
  return rows.map((row) => ({ marketplace: row.marketplace_id, topupId: row.topup_id }));
}
