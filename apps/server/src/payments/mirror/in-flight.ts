//! Finds users whose money may be moving on the network right now.
import type { UserId } from '@holdfast/kernel/ids';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';

/**
 * While an order is paid into or out of escrow, the address may hold more than the books. While a
 * withdrawal leaves over the network, it may hold less.
 */
export type Movement = 'none' | 'order' | 'withdrawal';

export async function findMovement(tx: Tx, userId: UserId): Promise<Movement> {
  return (await listMovements(tx, [userId])).get(userId) ?? 'none';
}

/** Only users with a movement are in the result. */
export async function listMovements(
  tx: Tx,
  userIds: readonly UserId[],
): Promise<ReadonlyMap<UserId, Movement>> {
  const wanted = [...userIds];
  const rows = await tx.query<{ user_id: UserId; movement: Movement }>(sql`
    select wanted.user_id, case when wallet.leaves then 'withdrawal' else 'order' end as movement
    from unnest(${wanted}::text[]) as wanted (user_id)
    cross join lateral (
      -- A withdrawal that was only requested has not left yet.
      select exists (select from withdrawal w
        where w.marketplace_id = ${tx.marketplace} and w.user_id = wanted.user_id
          and w.destination_type = 'crypto' and w.status in ('WITHDRAWAL_COMMITTED',
            'WITHDRAWAL_PENDING', 'WITHDRAWAL_PENDING_USER_ACTION')) as leaves,
      exists (select from orders o
        left join escrow e on e.marketplace_id = o.marketplace_id and e.order_id = o.id
          and e.archived_at is null
        left join dispute d on d.marketplace_id = o.marketplace_id and d.order_id = o.id
          and d.resolved_at is null
        where o.marketplace_id = ${tx.marketplace}
          and (o.buyer_id = wanted.user_id or o.seller_id = wanted.user_id)
          and o.close_reason is null
          and (o.status in ('RELEASE_REQUESTED', 'REFUND_REQUESTED') or e.status = 'FUNDING'
            or d.decision is not null)) as orders) as wallet
    where wallet.leaves or wallet.orders`);
  return new Map(rows.map((row) => [row.user_id, row.movement]));
}

/** A transfer of the mirror itself whose outcome is open. */
export async function hasOpenTransfer(tx: Tx, userId: UserId): Promise<boolean> {
  const found = await tx.query(sql`
    select from mirror_item
    where marketplace_id = ${tx.marketplace} and user_id = ${userId} and status = 'OPEN' limit 1`);
  return found.length > 0;
}
