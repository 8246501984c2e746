//! The execution of an approval. The audit entry of the action names the approval. It is written in
//! the action's own transaction, so it exists exactly when the action took effect.
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import type { Approval, NamedPerson } from './approval.ts';

/** The reason of the executed action: the requester's own, and the name of the approver. */
export function executionReason(
  { id, reason }: Approval,
  by: Pick<NamedPerson, 'id' | 'name'>,
): string {
  return `${reason} ${markOf(id)}${by.name}, ${by.id})`;
}

export async function wasExecuted(tx: Tx, approval: Approval): Promise<boolean> {
  const { id, resourceId, requestedBy } = approval;
  const found = await tx.query(sql`
    select from audit
    where marketplace_id = ${tx.marketplace} and resource_id = ${resourceId}
      and actor_id = ${requestedBy.id} and strpos(reason, ${markOf(id)}) > 0
    limit 1`);
  return found.length > 0;
}

function markOf(id: string): string {
  return `(${id}, approved by `;
}
