//! What came of an approval. The audit entry of its deed names it, and is written in the deed's own
//! transaction: it is there exactly if the deed is, and for good.
import { sql } from '../platform/sql.ts';
import type { Tx } from '../platform/transact.ts';
import type { Approval, NamedPerson } from './approval.ts';

/** Why whoever asked does it: for their own reason, and since somebody agreed. */
export function deedReason({ id, reason }: Approval, by: Pick<NamedPerson, 'id' | 'name'>): string {
  return `${reason} ${markOf(id)}${by.name}, ${by.id})`;
}

export async function hasDeed(tx: Tx, approval: Approval): Promise<boolean> {
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
