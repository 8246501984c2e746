//! The stops of marketplaces: the only SQL that writes them.
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import type { RowNumber } from '../../platform/database/database.ts';
import type { StopLevel } from '../../platform/database/marketplace-stop.ts';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';

export interface StopInput {
  readonly level: StopLevel;
  readonly reason: string;
}

export interface MarketplaceStop extends StopInput {
  readonly number: RowNumber;
  readonly marketplaceId: MarketplaceId;
  readonly marketplace: RowNumber;
  readonly stoppedBy: string;
  readonly stoppedAt: Instant;
  /** Null while a transaction may be open that has not seen it. */
  readonly settledAt: Instant | null;
  readonly liftedBy: string | null;
  readonly liftReason: string | null;
  readonly liftedAt: Instant | null;
}

type StopRow = Row<
  'marketplace_stop',
  | 'id'
  | 'marketplace_id'
  | 'level'
  | 'reason'
  | 'stopped_by'
  | 'since'
  | 'settled_at'
  | 'lifted_by'
  | 'lift_reason'
  | 'lifted_at',
  { level: StopLevel }
> &
  Row<'marketplace', 'public_id', { public_id: MarketplaceId }>;

/** False when a stop of this level stands already: it keeps its reason. */
export async function insertStop(
  tx: Tx,
  marketplace: RowNumber,
  { level, reason }: StopInput,
): Promise<boolean> {
  const inserted = await tx.query(sql`
    insert into marketplace_stop (marketplace_id, level, reason, stopped_by, since)
    values (${marketplace}, ${level}, ${reason}, ${tx.actor.id}, ${instantText(tx.now)})
    on conflict (marketplace_id, level) where lifted_at is null do nothing returning id`);
  return inserted.length === 1;
}

export async function findStandingStop(
  tx: Tx,
  marketplace: RowNumber,
  level: StopLevel,
): Promise<MarketplaceStop | undefined> {
  const [row] = await tx.query<StopRow>(sql`
    select s.id, s.marketplace_id, m.public_id, s.level, s.reason, s.stopped_by, s.since,
      s.settled_at, s.lifted_by, s.lift_reason, s.lifted_at
    from marketplace_stop s join marketplace m on m.id = s.marketplace_id
    where s.marketplace_id = ${marketplace} and s.level = ${level} and s.lifted_at is null`);
  return row && readStop(row);
}

/** Newest first; every one that stands, or the latest that were lifted. */
export async function listStopRows(
  tx: Tx,
  marketplace: RowNumber,
  isLifted: boolean,
  count: number,
): Promise<MarketplaceStop[]> {
  const rows = await tx.query<StopRow>(sql`
    select s.id, s.marketplace_id, m.public_id, s.level, s.reason, s.stopped_by, s.since,
      s.settled_at, s.lifted_by, s.lift_reason, s.lifted_at
    from marketplace_stop s join marketplace m on m.id = s.marketplace_id
    where s.marketplace_id = ${marketplace} and (s.lifted_at is not null) = ${isLifted}
    order by s.id desc limit ${count}`);
  return rows.map(readStop);
}

/** False when it was lifted meanwhile. */
export async function liftStopRow(tx: Tx, stop: MarketplaceStop, reason: string): Promise<boolean> {
  const lifted = await tx.query(sql`
    update marketplace_stop set lifted_by = ${tx.actor.id}, lift_reason = ${reason},
      lifted_at = ${instantText(tx.now)}
    where marketplace_id = ${stop.marketplace} and id = ${stop.number} and lifted_at is null
    returning id`);
  return lifted.length === 1;
}

/** What is known of a stop that still has to settle. */
export type UnsettledStop = Row<'marketplace_stop', 'level' | 'awaited', { level: StopLevel }> &
  Row<'marketplace', 'public_id', { public_id: MarketplaceId }>;

export async function findUnsettledStop(
  tx: Tx,
  number: RowNumber,
): Promise<UnsettledStop | undefined> {
  const [row] = await tx.query<UnsettledStop>(sql`
    select s.level, s.awaited, m.public_id
    from marketplace_stop s join marketplace m on m.id = s.marketplace_id
    where s.marketplace_id = ${tx.marketplace} and s.id = ${number} and s.lifted_at is null
      and s.settled_at is null`);
  return row;
}

export async function findStopSettled(tx: Tx, number: RowNumber): Promise<Instant | null> {
  const [row] = await tx.query<Row<'marketplace_stop', 'settled_at'>>(sql`
    select settled_at from marketplace_stop
    where marketplace_id = ${tx.marketplace} and id = ${number}`);
  return row?.settled_at ?? null;
}

/** The transactions that the stop waits for are noted once, after its commit. */
export async function noteAwaited(
  tx: Tx,
  number: RowNumber,
  awaited: readonly string[],
): Promise<void> {
  await tx.query(sql`
    update marketplace_stop set awaited = ${awaited}
    where marketplace_id = ${tx.marketplace} and id = ${number} and awaited is null`);
}

/** False when another process was faster, or the stop was lifted. */
export async function settleStopRow(tx: Tx, number: RowNumber): Promise<boolean> {
  const settled = await tx.query(sql`
    update marketplace_stop set settled_at = ${instantText(tx.now)}, awaited = '{}'
    where marketplace_id = ${tx.marketplace} and id = ${number} and settled_at is null
      and lifted_at is null
    returning id`);
  return settled.length === 1;
}

function readStop(row: StopRow): MarketplaceStop {
  return {
    number: row.id,
    marketplaceId: row.public_id,
    marketplace: row.marketplace_id,
    level: row.level,
    reason: row.reason,
    stoppedBy: row.stopped_by,
    stoppedAt: row.since,
    settledAt: row.settled_at,
    liftedBy: row.lifted_by,
    liftReason: row.lift_reason,
    liftedAt: row.lifted_at,
  };
}
