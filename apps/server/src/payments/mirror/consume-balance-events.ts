//! Consumes each marketplace's event log and marks users due whose books changed: a background job.
//!
//! Any number of workers may run it: one at a time holds a log's cursor, and cursor and rows commit
//! together.
import type { EventName } from '@holdfast/contract/events';
import type pg from 'pg';
import { systemCall } from '../../platform/call.ts';
import type { RowNumber } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { type Transactor, type Tx, transact } from '../../platform/database/transact.ts';
import { failpoint, passFor } from '../../platform/process/failpoint.ts';
import { readLog } from '../../record/events/event-log.ts';
import { NO_TYPES } from '../../record/events/type-filter.ts';
import { markBooksDue, markDifferingDue } from './due-user.ts';

const LOGS_MAX = 100;
const EVENTS_MAX = 1000;

/** Events that change the sum of a user's available and reserved money. */
const CHANGES: ReadonlySet<EventName> = new Set(['balance.credited', 'balance.debited']);

export async function consumeBalanceEvents(app: Transactor): Promise<number> {
  let consumed = 0;
  for (const marketplace of await logsToConsume(app.pool)) {
    for (let read = EVENTS_MAX; read === EVENTS_MAX; consumed += read) {
      // Each row guards itself, and transactions that change the books must not conflict with this
      // one.
      read = await transact(app, systemCall(marketplace), consumeOnce, 'read committed');
    }
  }
  return consumed;
}

async function logsToConsume(pool: pg.Pool): Promise<RowNumber[]> {
  const { rows } = await pool.query<{ id: RowNumber }>(
    'select work.event_logs_to_mirror($1) as id',
    [LOGS_MAX],
  );
  return rows.map(({ id }) => id);
}

async function consumeOnce(tx: Tx): Promise<number> {
  const cursor = await lockCursor(tx);
  // Another worker has the cursor.
  if (cursor === undefined) return 0;
  const events = await readLog(tx, cursor, EVENTS_MAX, NO_TYPES);
  const [first] = events;
  const last = events.at(-1);
  if (first === undefined || last === undefined) return 0;
  // The events in between are no longer retained: users are found by their difference.
  if (first.position !== cursor.position + 1) await markDifferingDue(tx);
  const changed = events.filter(({ type }) => CHANGES.has(type));
  const userIds = [...new Set(changed.map(({ aggregateId }) => aggregateId))];
  await markBooksDue(tx, userIds);
  await tx.query(sql`
    update mirror_cursor set position = ${last.position}, occurred_at = ${last.occurredAt}
    where marketplace_id = ${tx.marketplace}`);
  // Whose events they are is known only now. A crash before the transaction leaves the same state,
  // and one after it the same as a crash before the batches are written.
  await passFor(userIds, async () => failpoint('mirror:consume:in-tx'));
  return events.length;
}

async function lockCursor(tx: Tx): Promise<{ position: number; occurredAt: string } | undefined> {
  await tx.query(sql`
    insert into mirror_cursor (marketplace_id, position, occurred_at)
    values (${tx.marketplace}, 0, 'epoch') on conflict do nothing`);
  const [row] = await tx.query<{ position: number; occurred_at: string }>(sql`
    select position::float8 as position,
      to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as occurred_at
    from mirror_cursor where marketplace_id = ${tx.marketplace} for update skip locked`);
  return row && { position: row.position, occurredAt: row.occurred_at };
}
