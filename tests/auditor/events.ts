//! The location of events: in the outbox until the sequencer assigns a position, then in the log.
import type { Sql } from './invariant.ts';

const COLUMNS = 'marketplace_id, event_type, aggregate_id, entry_id, actor_id, correlation_id';

/** An outbox row without an event is an audit row that waits for its link in the chain. */
const WAITING = 'outbox where event_type is not null';

/** All events, waiting or in the log, with the columns that both tables share. */
export const ALL_EVENTS = `(select ${COLUMNS} from ${WAITING} union all select ${COLUMNS} from event)`;

export async function countEvents(sql: Sql): Promise<number> {
  return (await sql.count('event')) + (await sql.count(WAITING));
}

/**
 * The time since when each marketplace's log is complete: old months are dropped. Changes from
 * before that time may have no event.
 */
export const RETAINED = `(select head.marketplace_id,
    case when head.position = 0 or first.position = 1 then '-infinity'::timestamptz
      else coalesce(first.occurred_at, 'infinity') end as since
  from event_head head left join lateral (select position, occurred_at from event
    where event.marketplace_id = head.marketplace_id order by occurred_at limit 1) first on true)`;
