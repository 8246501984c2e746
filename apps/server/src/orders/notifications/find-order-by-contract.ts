//! Finds the order of a provider's event, which names a contract or an order, never a marketplace.
import type { EscrowId, OrderId } from '@holdfast/kernel/ids';
import type pg from 'pg';
import type { RowNumber } from '../../platform/database/database.ts';
import type { EscrowNotification, MatchedOrder } from './apply-escrow-event.ts';

export interface FoundOrder extends MatchedOrder {
  readonly marketplace: RowNumber;
}

/**
 * Searches by the contract when we know it: the contract decides. Searches by the order while the
 * contract is being deployed. Covers all marketplaces, so it returns only the owner and the ids.
 */
export async function findOrderByContract(
  pool: pg.Pool,
  { contractId, orderId }: Pick<EscrowNotification, 'contractId' | 'orderId'>,
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
