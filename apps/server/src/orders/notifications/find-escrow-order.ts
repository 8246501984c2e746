//! Finds the order of an escrow: Surface B identifies orders by their escrow.
import type { EscrowId, OrderId } from '@holdfast/kernel/ids';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';

export async function findEscrowOrder(tx: Tx, escrowId: EscrowId): Promise<OrderId | undefined> {
  const [row] = await tx.query<{ order_id: OrderId }>(sql`
    select order_id from escrow where marketplace_id = ${tx.marketplace} and id = ${escrowId}`);
  return row?.order_id;
}
