//! The operations on an order and on its escrows.
import type { OperationId } from '@holdfast/kernel/ids';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';

export type OperationRow = Row<
  'operation',
  'id' | 'kind' | 'correlation_id' | 'created_at',
  { id: OperationId }
>;

/** Operations on the order and on all of its escrows; they are few. */
export async function listOperations(
  tx: Tx,
  resources: readonly string[],
): Promise<OperationRow[]> {
  return tx.query<OperationRow>(sql`
    select id, kind, correlation_id, created_at from operation
    where marketplace_id = ${tx.marketplace} and resource_id = any (${resources})
    order by id`);
}
