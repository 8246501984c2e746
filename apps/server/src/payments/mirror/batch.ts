//! Batches of transfers, stored before anything is signed: the only SQL that writes mirror_batch
//! and mirror_item.
import { instantText } from '@holdfast/kernel/clock';
import { newId, type OperationId, type UserId } from '@holdfast/kernel/ids';
import type pg from 'pg';
import type { RowNumber } from '../../platform/database/database.ts';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import type { Asset } from './wallet-mirror.ts';

export interface Transfer {
  readonly userId: UserId;
  readonly asset: Asset;
  readonly address: string;
  /** To the address; negative means from it to the treasury. */
  readonly stroops: bigint;
}

/** The purpose under which its envelope is stored. */
export const purposeOf = (batchId: OperationId): string => `mirror:${batchId}`;

export async function insertBatch(tx: Tx, transfers: readonly Transfer[]): Promise<OperationId> {
  const id = newId('op', tx.now);
  const now = instantText(tx.now);
  await tx.query(sql`
    insert into mirror_batch (marketplace_id, id, status, next_try_at, created_at)
    values (${tx.marketplace}, ${id}, 'OPEN', ${now}, ${now})`);
  await tx.query(sql`
    insert into mirror_item (marketplace_id, batch_id, user_id, asset, address, stroops, status)
    select ${tx.marketplace}, ${id}, item.user_id, item.asset, item.address, item.stroops, 'OPEN'
    from unnest(${transfers.map(({ userId }) => userId)}::text[],
      ${transfers.map(({ asset }) => asset)}::text[],
      ${transfers.map(({ address }) => address)}::text[],
      ${transfers.map(({ stroops }) => String(stroops))}::bigint[])
      as item (user_id, asset, address, stroops)`);
  return id;
}

/** Empty when the batch has ended. */
export async function listOpenTransfers(tx: Tx, batchId: OperationId): Promise<Transfer[]> {
  const rows = await tx.query<
    Row<'mirror_item', 'user_id' | 'asset' | 'address' | 'stroops', { user_id: UserId }>
  >(sql`
    select user_id, asset, address, stroops from mirror_item
    where marketplace_id = ${tx.marketplace} and batch_id = ${batchId} and status = 'OPEN'
    order by user_id, asset`);
  return rows.map((row) => ({
    userId: row.user_id,
    asset: row.asset,
    address: row.address,
    stroops: BigInt(row.stroops),
  }));
}

/** False when another worker has ended it. */
export async function endBatch(
  tx: Tx,
  batchId: OperationId,
  status: 'APPLIED' | 'FAILED',
): Promise<boolean> {
  const ended = await tx.query(sql`
    update mirror_batch set status = ${status}, ended_at = ${instantText(tx.now)}
    where marketplace_id = ${tx.marketplace} and id = ${batchId} and status = 'OPEN' returning id`);
  if (ended.length === 0) return false;
  await tx.query(sql`
    update mirror_item set status = ${status}
    where marketplace_id = ${tx.marketplace} and batch_id = ${batchId} and status = 'OPEN'`);
  return true;
}

const FIRST_WAIT_MS = 500;
const DOUBLINGS_MAX = 6;

/** Waits half a second, then one, two, and so on up to about thirty. */
export async function postponeBatch(tx: Tx, batchId: OperationId): Promise<void> {
  await tx.query(sql`
    update mirror_batch set attempts = attempts + 1,
      next_try_at = ${instantText(tx.now)}::timestamptz
        + make_interval(secs => ${FIRST_WAIT_MS / 1000} * 2 ^ least(attempts, ${DOUBLINGS_MAX}))
    where marketplace_id = ${tx.marketplace} and id = ${batchId} and status = 'OPEN'`);
}

export interface BatchRef {
  readonly marketplace: RowNumber;
  readonly id: OperationId;
}

/** Over all marketplaces: the batches that are due, including those that another worker runs. */
export async function listOpenBatches(
  pool: pg.Pool,
  now: string,
  atMost: number,
): Promise<BatchRef[]> {
  const { rows } = await pool.query<{ marketplace_id: RowNumber; id: OperationId }>(
    'select marketplace_id, id from work.mirror_batches_due($1, $2)',
    [now, atMost],
  );
  return rows.map((row) => ({ marketplace: row.marketplace_id, id: row.id }));
}
