//! Hourly sums of a marketplace: the only SQL that writes them. Past hours are summed once; each
//! reader sums the rest.
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { Currency } from '@holdfast/kernel/currency';
import type pg from 'pg';
import type { RowNumber } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';

/** The sums of a UTC day, in minor units. */
export interface DaySums {
  /** As `2026-03-01`. */
  readonly day: string;
  readonly currency: Currency;
  /** The change of reserved money, and of money in escrow. */
  readonly reserved: bigint;
  readonly escrow: bigint;
  readonly created: number;
  readonly createdAmount: bigint;
  readonly funded: number;
  readonly fundedAmount: bigint;
  readonly released: number;
  readonly releasedAmount: bigint;
  readonly refunded: number;
  readonly refundedAmount: bigint;
  readonly fees: bigint;
  readonly paidIn: bigint;
  readonly paidOut: bigint;
}

type DayRow = { [K in keyof DaySums]: DaySums[K] extends bigint ? string : DaySums[K] };

/** The end of the summed hours; the epoch where there are none. */
export async function findHead(tx: Tx): Promise<Instant> {
  const [row] = await tx.query<{ summed_until: Instant }>(sql`
    select summed_until from insight_head where marketplace_id = ${tx.marketplace}`);
  return row?.summed_until ?? 0;
}

/** Days since a moment, including hours that are not summed yet. */
export async function listDays(tx: Tx, since: Instant, head: Instant): Promise<DaySums[]> {
  const tail = Math.max(since, head);
  const rows = await tx.query<DayRow>(sql`
    select to_char(hour at time zone 'UTC', 'YYYY-MM-DD') as day, currency,
      sum(reserved)::text as reserved, sum(escrow)::text as escrow,
      sum(created)::int as created, sum(created_amount)::text as "createdAmount",
      sum(funded)::int as funded, sum(funded_amount)::text as "fundedAmount",
      sum(released)::int as released, sum(released_amount)::text as "releasedAmount",
      sum(refunded)::int as refunded, sum(refunded_amount)::text as "refundedAmount",
      sum(fees)::text as fees, sum(paid_in)::text as "paidIn", sum(paid_out)::text as "paidOut"
    from (
      select * from insight_hour
      where marketplace_id = ${tx.marketplace} and hour >= ${instantText(since)}
      union all
      select * from sum_insight_hours(${instantText(tail)}, ${instantText(tx.now + 60_000)})) as hours
    group by 1, 2 order by 1, 2`);
  return rows.map(readDay);
}

/** The amounts reserved and in escrow at the end of all sums before a moment. */
export async function sumBefore(
  tx: Tx,
  moment: Instant,
  head: Instant,
): Promise<{ readonly currency: Currency; readonly reserved: bigint; readonly escrow: bigint }[]> {
  const rows = await tx.query<{ currency: Currency; reserved: string; escrow: string }>(sql`
    select currency, sum(reserved)::text as reserved, sum(escrow)::text as escrow
    from (
      select currency, reserved, escrow from insight_hour
      where marketplace_id = ${tx.marketplace} and hour < ${instantText(moment)}
      union all
      select currency, reserved, escrow
      from sum_insight_hours(${instantText(Math.min(head, moment))}, ${instantText(moment)})) as hours
    group by currency`);
  return rows.map(({ currency, reserved, escrow }) => ({
    currency,
    reserved: BigInt(reserved),
    escrow: BigInt(escrow),
  }));
}

/** Marketplaces whose hours are behind: where to search, not the rows themselves. */
export async function listBehind(
  pool: pg.Pool,
  until: Instant,
  count: number,
): Promise<RowNumber[]> {
  const { rows } = await pool.query<{ id: RowNumber }>(
    'select work.insights_to_sum($1, $2) as id',
    [instantText(until), count],
  );
  return rows.map(({ id }) => id);
}

/** The hour of the oldest entry or order; undefined when there is neither. */
export async function findFirstHour(tx: Tx): Promise<Instant | undefined> {
  const [row] = await tx.query<{ first: Instant | null }>(sql`
    select date_trunc('hour', least(
      (select min(created_at) from orders where marketplace_id = ${tx.marketplace}),
      (select created_at from entry where marketplace_id = ${tx.marketplace} order by id limit 1)),
      'UTC') as first`);
  return row?.first ?? undefined;
}

/** False when another worker has summed from here: then nothing is written. */
export async function sumHours(tx: Tx, from: Instant, until: Instant): Promise<boolean> {
  const moved = await tx.query(sql`
    insert into insight_head as head (marketplace_id, summed_until)
    values (${tx.marketplace}, ${instantText(until)})
    on conflict (marketplace_id) do update set summed_until = excluded.summed_until
      where head.summed_until = ${instantText(from)}
    returning marketplace_id`);
  if (moved.length === 0) return false;
  await tx.query(sql`
    insert into insight_hour
    select * from sum_insight_hours(${instantText(from)}, ${instantText(until)})`);
  return true;
}

function readDay(row: DayRow): DaySums {
  return {
    ...row,
    reserved: BigInt(row.reserved),
    escrow: BigInt(row.escrow),
    createdAmount: BigInt(row.createdAmount),
    fundedAmount: BigInt(row.fundedAmount),
    releasedAmount: BigInt(row.releasedAmount),
    refundedAmount: BigInt(row.refundedAmount),
    fees: BigInt(row.fees),
    paidIn: BigInt(row.paidIn),
    paidOut: BigInt(row.paidOut),
  };
}
