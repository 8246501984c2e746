//! The log of a marketplace for its readers: one order, read by position.
import { aggregateTypeOf, type EventEnvelope, type EventName } from '@holdfast/contract/events';
import { type EventId, type MarketplaceId, readId, type UserId } from '@holdfast/kernel/ids';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import type { TypeFilter } from './type-filter.ts';

/** A position in the log: just behind the event of this number and time. */
export interface LogPosition {
  readonly position: number;
  /** ISO 8601 with microseconds: the cursor of readers. */
  readonly occurredAt: string;
}

export interface LoggedEvent extends LogPosition {
  readonly id: EventId;
  readonly type: EventName;
  readonly aggregateId: string;
  readonly correlationId: string;
  readonly causationId: string | null;
  readonly userId: UserId | null;
  /** JSON, as it goes out. Null where the reader did not request this type. */
  readonly payload: string | null;
}

export const LOG_START: LogPosition = { position: 0, occurredAt: '1970-01-01T00:00:00.000000Z' };

type EventRow = Row<
  'event',
  'id' | 'event_type' | 'aggregate_id' | 'correlation_id' | 'causation_id' | 'user_id',
  { id: EventId; event_type: EventName; user_id: UserId }
> & { position: number; occurred_at: string; payload: string | null };

/** The events behind a position, of every type, so that a gap would show. */
export async function readLog(
  tx: Tx,
  after: LogPosition,
  atMost: number,
  types: TypeFilter | null,
): Promise<LoggedEvent[]> {
  const names = types && [...types.names];
  const families = types && [...types.families];
  const rows = await tx.query<EventRow>(sql`
    select position::float8 as position,
      to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as occurred_at,
      id, event_type, aggregate_id, correlation_id, causation_id, user_id,
      case when ${names}::text[] is null or event_type = any (${names})
        or split_part(event_type, '.', 1) = any (${families}) then payload::text end as payload
    from event where marketplace_id = ${tx.marketplace} and occurred_at > ${after.occurredAt}
    order by event.occurred_at limit ${atMost}`);
  return rows.map((row) => ({
    position: row.position,
    occurredAt: row.occurred_at,
    id: row.id,
    type: row.event_type,
    aggregateId: row.aggregate_id,
    correlationId: row.correlation_id,
    causationId: row.causation_id,
    userId: row.user_id ?? readId('usr', row.aggregate_id) ?? null,
    payload: row.payload,
  }));
}

/** The end of the log, as of now. */
export async function readLogEnd(tx: Tx): Promise<LogPosition> {
  const [row] = await tx.query<Pick<EventRow, 'position' | 'occurred_at'>>(sql`
    select position::float8 as position,
      to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as occurred_at
    from event_head where marketplace_id = ${tx.marketplace}`);
  return row ? { position: row.position, occurredAt: row.occurred_at } : LOG_START;
}

/**
 * The position of a time: behind the last event that is not later. A time ahead of the log is its
 * end, so that later events still count as new for a reader whose clock is ahead.
 */
export async function findLogPosition(tx: Tx, occurredAt: string): Promise<LogPosition> {
  const [row] = await tx.query<{ position: number | null; occurred_at: string | null }>(sql`
    select coalesce(earlier.position, later.position - 1)::float8 as position,
      to_char(earlier.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
        as occurred_at
    from (values (0)) as once (more)
    left join lateral (select position, occurred_at from event
      where marketplace_id = ${tx.marketplace} and event.occurred_at <= ${occurredAt}
      order by event.occurred_at desc limit 1) earlier on true
    left join lateral (select position from event
      where marketplace_id = ${tx.marketplace} and event.occurred_at > ${occurredAt}
      order by event.occurred_at limit 1) later on true`);
  const position = row?.position ?? null;
  // No event is there: a time in the future would hide the events until then.
  if (position === null) return readLogEnd(tx);
  return { position, occurredAt: row?.occurred_at ?? occurredAt };
}

/**
 * Since when the database may have lost events, for a time that is no event's here and lies between
 * then and the check that found it.
 */
export async function findLostTime(tx: Tx, time: string): Promise<string | undefined> {
  const [row] = await tx.query<{ since: string }>(sql`
    select to_char(lost_from at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as since
    from lineage
    where lost_from < ${time} and checked_at > ${time}
      and not exists (select from event
        where marketplace_id = ${tx.marketplace} and occurred_at = ${time})
    order by number limit 1`);
  return row?.since;
}

/** True when this event is in the log at this time. */
export async function isLogged(tx: Tx, id: EventId, occurredAt: string): Promise<boolean> {
  const rows = await tx.query(sql`
    select from event where marketplace_id = ${tx.marketplace} and occurred_at = ${occurredAt}
      and id = ${id}`);
  return rows.length > 0;
}

/** What is not known is absent. */
export function metadataOf(
  { correlationId, causationId, userId }: LoggedEvent,
  marketplaceId: MarketplaceId,
): EventEnvelope['metadata'] {
  return {
    correlationId,
    ...(causationId === null ? {} : { causationId }),
    ...(userId === null ? {} : { userId }),
    marketplaceId,
  };
}

export function envelopeOf(event: LoggedEvent, marketplaceId: MarketplaceId): EventEnvelope {
  return {
    eventId: event.id,
    eventType: event.type,
    occurredAt: event.occurredAt,
    aggregateId: event.aggregateId,
    aggregateType: aggregateTypeOf(event.type),
    payload: JSON.parse(event.payload ?? '{}') as EventEnvelope['payload'],
    metadata: metadataOf(event, marketplaceId),
  };
}
