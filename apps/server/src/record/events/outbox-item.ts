//! The waiting rows of the outbox, for the sequencer: events and audit rows, oldest first.
import type { EventName } from '@holdfast/contract/events';
import type { Currency } from '@holdfast/kernel/currency';
import type { AuditId } from '@holdfast/kernel/ids';
import type pg from 'pg';
import type { RowNumber } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { ReportedEntry } from './balance-payload.ts';

export interface OutboxItem {
  /** Its number in the outbox. */
  readonly number: RowNumber;
  readonly marketplace: RowNumber;
  /** Null for an audit row that no event goes with. */
  readonly event: {
    readonly type: EventName;
    readonly aggregateId: string;
    /** Null where the event carries its payload itself. */
    readonly entry: ReportedEntry | null;
  } | null;
  /** The row for the chain, with its full content. */
  readonly audit: { readonly id: AuditId; readonly content: string } | null;
}

interface Row {
  id: RowNumber;
  marketplace_id: RowNumber;
  event_type: EventName | null;
  aggregate_id: string;
  audit_id: AuditId | null;
  content: string | null;
  kind: string | null;
  amount: string;
  currency: Currency;
  from_bucket: 'available' | 'reserved';
  to_bucket: 'available' | 'reserved';
  available: string;
  reserved: string;
  subject_id: string | null;
  reference: string | null;
  note: string | null;
}

/** Shards are a fixed number, so that two workers can never divide the marketplaces differently. */
export const SHARDS = 8;

interface Wanted {
  readonly shards: readonly number[];
  /** Marketplaces to leave out. */
  readonly stuck: Iterable<RowNumber>;
  /** Rows at or below this number are not read. */
  readonly above: RowNumber;
}

/** Sees every marketplace: for the sequencer's own role only. */
export async function readOutbox(
  client: pg.ClientBase,
  { shards, stuck, above }: Wanted,
  atMost: number,
): Promise<OutboxItem[]> {
  const query = sql`
    select o.id, o.marketplace_id, o.event_type, o.aggregate_id, o.audit_id,
      case when a.id is not null then audit_content(a, e) end as content,
      e.kind, e.amount, e.currency, e.from_bucket, e.to_bucket, e.subject_id, e.reference, e.note,
      -- A debit reports the side that it came from, also where the other side has an owner too.
      case when o.event_type = 'balance.debited' then e.from_available
        else coalesce(e.to_available, e.from_available) end as available,
      case when o.event_type = 'balance.debited' then e.from_reserved
        else coalesce(e.to_reserved, e.from_reserved) end as reserved
    from (select * from outbox
      where marketplace_id % ${SHARDS} = any (${shards}::bigint[])
        and marketplace_id <> all (${[...stuck]}::bigint[]) and id > ${above}
      order by id limit ${atMost}) o
    left join audit a on a.marketplace_id = o.marketplace_id and a.id = o.audit_id
    left join entry e on e.marketplace_id = o.marketplace_id and e.id = o.entry_id
    order by o.id`;
  const { rows } = await client.query<Row>({ ...query, values: [...query.values] });
  return rows.map(outboxItemOf);
}

function outboxItemOf(row: Row): OutboxItem {
  return {
    number: row.id,
    marketplace: row.marketplace_id,
    event: row.event_type === null ? null : eventOf(row, row.event_type),
    audit: row.audit_id === null ? null : { id: row.audit_id, content: row.content ?? '' },
  };
}

function eventOf(row: Row, type: EventName): OutboxItem['event'] {
  if (row.kind === null) return { type, aggregateId: row.aggregate_id, entry: null };
  return {
    type,
    aggregateId: row.aggregate_id,
    entry: {
      kind: row.kind,
      amount: BigInt(row.amount),
      currency: row.currency,
      fromBucket: row.from_bucket,
      toBucket: row.to_bucket,
      available: BigInt(row.available),
      reserved: BigInt(row.reserved),
      subjectId: row.subject_id,
      reference: row.reference,
      note: row.note,
    },
  };
}
