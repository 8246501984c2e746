//! Finds whose order a provider speaks of: it names a contract or an order, never a marketplace.
import type { EscrowId, OrderId } from '@holdfast/kernel/ids';
import type pg from 'pg';
import type { RowNumber } from '../platform/database.ts';
import type { EscrowNotice, NoticedOrder } from './apply-escrow-event.ts';

export interface FoundOrder extends NoticedOrder {
  readonly marketplace: RowNumber;
}

/**
 * By the contract where we know it: the contract decides. By the order while it is being deployed.
 * Over all marketplaces: whose it is, and nothing else of it.
 */
export async function findNoticedOrder(
  pool: pg.Pool,
  { contractId, orderId }: Pick<EscrowNotice, 'contractId' | 'orderId'>,
): Promise<FoundOrder | undefined> {
  const { rows: known } = await pool.query<{
    marketplace_id: RowNumber;
    order_id: OrderId;
    escrow_id: EscrowId;
  }>('select marketplace_id, order_id, escrow_id from work.order_of_contract($1)', [contractId]);
  const [row] = known;
  if (row !== undefined)
    return { marketplace: row.marketplace_id, orderId: row.order_id, escrowId: row.escrow_id };
  if (orderId === null) return undefined;
  const { rows } = await pool.query<{ marketplace: RowNumber | null }>(
    'select work.marketplace_of_order($1) as marketplace',
    [orderId],
  );
  const marketplace = rows[0]?.marketplace ?? null;
  return marketplace === null
    ? undefined
    : { marketplace, orderId: orderId as OrderId, escrowId: null };
}
