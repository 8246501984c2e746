//! Where events are. The one place to change when the sequencer's log gets its table.
import type { Sql } from './invariant.ts';

/** Events wait in the outbox until the sequencer moves them into the log. */
const OUTBOX = 'outbox';
export const EVENT_LOG = 'event';
export const POSITION = 'position';

const COLUMNS = 'marketplace_id, event_type, aggregate_id, entry_id, actor_id, correlation_id';

/** Every event there is, waiting or in its place, with the columns both tables share. */
export async function allEvents(sql: Sql): Promise<string> {
  const waiting = `select ${COLUMNS} from ${OUTBOX}`;
  const isLogged = await sql.has(EVENT_LOG);
  return isLogged ? `${waiting} union all select ${COLUMNS} from ${EVENT_LOG}` : waiting;
}

export async function countEvents(sql: Sql): Promise<number> {
  const logged = (await sql.has(EVENT_LOG)) ? await sql.count(EVENT_LOG) : 0;
  return logged + (await sql.count(OUTBOX));
}
