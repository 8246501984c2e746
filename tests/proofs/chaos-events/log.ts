//! Reads the log from the database: the transcripts are compared with it.
import type { EventName } from '@holdfast/contract/events';
import type { Pool } from 'pg';

export interface LogEvent {
  readonly marketplaceId: string;
  readonly position: number;
  readonly eventId: string;
  readonly eventType: EventName;
  readonly occurredAt: string;
  readonly aggregateId: string;
  /** As JSON. */
  readonly payload: string;
  readonly correlationId: string;
}

/** Per marketplace, in the order of positions. */
export type Log = ReadonlyMap<string, readonly LogEvent[]>;

export async function readLog(monitor: Pool): Promise<Log> {
  const { rows } = await monitor.query<LogEvent>(`
    select m.public_id as "marketplaceId", e.position::float8 as position, e.id as "eventId",
      e.event_type as "eventType", e.aggregate_id as "aggregateId", e.payload::text as payload,
      to_char(e.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "occurredAt",
      e.correlation_id as "correlationId"
    from event e join marketplace m on m.id = e.marketplace_id
    order by e.marketplace_id, e.position`);
  return Map.groupBy(rows, (row) => row.marketplaceId);
}

/** Every committed event has its position. */
export async function isOutboxEmpty(monitor: Pool): Promise<boolean> {
  const { rowCount } = await monitor.query('select from outbox limit 1');
  return rowCount === 0;
}
