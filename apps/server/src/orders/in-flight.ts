//! Orders of a user whose money may be moving on the network right now.
import type { UserId } from '@holdfast/kernel/ids';
import { sql } from '../platform/sql.ts';
import type { Tx } from '../platform/transact.ts';

/** Then the user's address may hold more than the books say, and rightly so. */
export async function hasMoneyInFlight(tx: Tx, userId: UserId): Promise<boolean> {
  const found = await tx.query(sql`
    select 1 from orders o
    left join escrow e on e.marketplace_id = o.marketplace_id and e.order_id = o.id
      and e.archived_at is null
    left join dispute d on d.marketplace_id = o.marketplace_id and d.order_id = o.id
      and d.resolved_at is null
    where o.marketplace_id = ${tx.marketplace} and (o.buyer_id = ${userId} or o.seller_id = ${userId})
      and o.close_reason is null
      and (o.status in ('RELEASE_REQUESTED', 'REFUND_REQUESTED') or e.status = 'FUNDING'
        or d.decision is not null)
    limit 1`);
  return found.length > 0;
}
