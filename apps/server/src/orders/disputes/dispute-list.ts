//! Finds the disputes that match a filter, newest or oldest first.
import type { DisputeState } from '@holdfast/contract/machines/dispute-machine';
import type { DisputeId, UserId } from '@holdfast/kernel/ids';
import { type CreatedFilter, idRange } from '../../platform/database/id-range.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import { findDisputes, type ListedDispute } from '../model/dispute.ts';

export interface DisputeFilter extends CreatedFilter {
  readonly status?: DisputeState;
  readonly assignedTo?: string;
  readonly buyerId?: UserId;
  readonly sellerId?: UserId;
  /** Newest first when absent. */
  readonly sort?: 'newest' | 'oldest';
}

export async function listDisputeRows(
  tx: Tx,
  filter: DisputeFilter,
  after: string | null,
  count: number,
): Promise<ListedDispute[]> {
  const { sort } = filter;
  const { from, end, below } = idRange('dsp', filter, after);
  const ids =
    sort === 'oldest'
      ? await listOldestIds(tx, filter, { from, above: after ?? '', below: end, count })
      : await listNewestIds(tx, filter, { from, below, count });
  const found = ids.map(({ id }) => id);
  return found.length === 0 ? [] : findDisputes(tx, found);
}

interface Bounds {
  readonly from: string;
  readonly below: string;
  readonly count: number;
}

/** One statement per filter: see `listOrderIds` of orders. */
function listNewestIds(
  tx: Tx,
  filter: DisputeFilter,
  { from, below, count }: Bounds,
): Promise<{ id: DisputeId }[]> {
  const { status = null, buyerId = null, sellerId = null, assignedTo = null } = filter;
  if (buyerId !== null || sellerId !== null)
    return tx.query(sql`
      select d.id from orders o
      join dispute d on d.marketplace_id = o.marketplace_id and d.id = o.dispute_id
      where o.marketplace_id = ${tx.marketplace} and d.id >= ${from} and d.id < ${below}
        and (${buyerId}::text is null or o.buyer_id = ${buyerId})
        and (${sellerId}::text is null or o.seller_id = ${sellerId})
        and (${status}::text is null or d.status = ${status})
        and (${assignedTo}::text is null or d.assigned_to = ${assignedTo})
      order by d.id desc limit ${count}`);
  if (status !== null && status !== 'RESOLVED')
    return tx.query(sql`
      select id from dispute
      where marketplace_id = ${tx.marketplace} and resolved_at is null
        and id >= ${from} and id < ${below} and status = ${status}
        and (${assignedTo}::text is null or assigned_to = ${assignedTo})
      order by id desc limit ${count}`);
  return tx.query(sql`
    select id from dispute
    where marketplace_id = ${tx.marketplace}
      and id >= ${from} and id < ${below} and (${status}::text is null or status = ${status})
      and (${assignedTo}::text is null or assigned_to = ${assignedTo})
    order by id desc limit ${count}`);
}

/** The same in reverse: the longest waiting first. */
function listOldestIds(
  tx: Tx,
  filter: DisputeFilter,
  { from, above, below, count }: Bounds & { readonly above: string },
): Promise<{ id: DisputeId }[]> {
  const { status = null, buyerId = null, sellerId = null, assignedTo = null } = filter;
  if (buyerId !== null || sellerId !== null)
    return tx.query(sql`
      select d.id from orders o
      join dispute d on d.marketplace_id = o.marketplace_id and d.id = o.dispute_id
      where o.marketplace_id = ${tx.marketplace}
        and d.id >= ${from} and d.id > ${above} and d.id < ${below}
        and (${buyerId}::text is null or o.buyer_id = ${buyerId})
        and (${sellerId}::text is null or o.seller_id = ${sellerId})
        and (${status}::text is null or d.status = ${status})
        and (${assignedTo}::text is null or d.assigned_to = ${assignedTo})
      order by d.id limit ${count}`);
  if (status !== null && status !== 'RESOLVED')
    return tx.query(sql`
      select id from dispute
      where marketplace_id = ${tx.marketplace} and resolved_at is null
        and id >= ${from} and id > ${above} and id < ${below} and status = ${status}
        and (${assignedTo}::text is null or assigned_to = ${assignedTo})
      order by id limit ${count}`);
  return tx.query(sql`
    select id from dispute
    where marketplace_id = ${tx.marketplace} and id >= ${from} and id > ${above} and id < ${below}
      and (${status}::text is null or status = ${status})
      and (${assignedTo}::text is null or assigned_to = ${assignedTo})
    order by id limit ${count}`);
}
