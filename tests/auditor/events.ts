//! Where events are: in the outbox until the sequencer gives them their place, then in the log.
import type { Sql } from './invariant.ts';

const COLUMNS = 'marketplace_id, event_type, aggregate_id, entry_id, actor_id, correlation_id';

/** What waits with no event is an audit row on its way into the chain. */
const WAITING = 'outbox where event_type is not null';

/** Every event there is, waiting or in its place, with the columns both tables share. */
export const ALL_EVENTS = `(select ${COLUMNS} from ${WAITING} union all select ${COLUMNS} from event)`;

export async function countEvents(sql: Sql): Promise<number> {
  return (await sql.count('event')) + (await sql.count(WAITING));
}

/**
 * Since when the log of each marketplace is whole: its months are dropped after a while, so the
 * first events may be gone. What happened before may have no event any more.
 */
export const KEPT = `(select head.marketplace_id,
    case when head.position = 0 or first.position = 1 then '-infinity'::timestamptz
      else coalesce(first.occurred_at, 'infinity') end as since
  from event_head head left join lateral (select position, occurred_at from event
    where event.marketplace_id = head.marketplace_id order by occurred_at limit 1) first on true)`;
