//! Posting functions for `deposit` and `sync`: money that came over the network.
import { instantText } from '@holdfast/kernel/clock';
import { type AuditId, newId } from '@holdfast/kernel/ids';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';

/** Amount and user come from the deposit's own row, which must be written before. */
export async function creditDeposit(tx: Tx, operationId: string, part: number): Promise<void> {
  await tx.query(sql`
    select books.credit_deposit(${instantText(tx.now)}, ${operationId}, ${part}, ${newId('aud', tx.now)},
      ${tx.actor.id}, ${tx.requestId})`);
}

/** Posts against suspense, as the difference's own row says; its id is that of its audit row. */
export async function postDifference(tx: Tx, id: AuditId): Promise<void> {
  await tx.query(sql`
    select books.post_balance_difference(${instantText(tx.now)}, ${id}, ${tx.actor.id}, ${tx.requestId})`);
}
