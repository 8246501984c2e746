//! Finds out when a stop holds everywhere: as soon as every transaction has ended that was open
//! when the stop was committed. A later one sees the stop. Also a background job, for stops whose
//! request did not live to see it.
import type { Instant } from '@holdfast/kernel/clock';
import type pg from 'pg';
import { systemCall } from '../../platform/call.ts';
import type { RowNumber } from '../../platform/database/database.ts';
import { read, type Transactor, transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import {
  findStopSettled,
  findUnsettledStop,
  noteAwaited,
  settleStopRow,
} from './marketplace-stop.ts';

/** Returns how many stops have settled. */
export async function settleStops(app: Transactor): Promise<number> {
  const { rows } = await app.pool.query<{ marketplace_id: RowNumber; id: RowNumber }>(
    'select marketplace_id, id from work.stops_to_settle()',
  );
  let settled = 0;
  for (const { marketplace_id: marketplace, id } of rows)
    if ((await settleStop(app, marketplace, id)) !== null) settled += 1;
  return settled;
}

/** One look. Null while a transaction that has not seen the stop is open. */
export async function settleStop(
  app: Transactor,
  marketplace: RowNumber,
  number: RowNumber,
): Promise<Instant | null> {
  const call = systemCall(marketplace);
  const stop = await read(app, call, (tx) => findUnsettledStop(tx, number));
  if (stop !== undefined) {
    const open = await listOpenTransactions(app.pool);
    if (stop.awaited === null)
      await transact(app, call, (tx) => noteAwaited(tx, number, open), 'read committed');
    const awaited = new Set(stop.awaited ?? open);
    if (open.some((each) => awaited.has(each))) return null;
    await transact(
      app,
      call,
      async (tx) => {
        if (!(await settleStopRow(tx, number))) return;
        const { public_id: resourceId, level } = stop;
        await audit(tx, { action: 'MARKETPLACE_STOP_SETTLED', resourceId, after: { level } });
      },
      'read committed',
    );
  }
  return read(app, call, (tx) => findStopSettled(tx, number));
}

/**
 * Of all processes of the service, by the lock that a transaction holds on its own number from its
 * start to its end, whether it has written anything or not.
 */
async function listOpenTransactions(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(`
    select l.virtualxid as id from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'virtualxid' and l.mode = 'ExclusiveLock' and l.granted
      and a.datname = current_database() and a.pid <> pg_backend_pid()
      and (pg_has_role(a.usesysid, 'holdfast_api', 'member')
        or pg_has_role(a.usesysid, 'holdfast_worker', 'member'))`);
  return rows.map(({ id }) => id);
}
