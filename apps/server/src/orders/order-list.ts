//! Lists of orders, newest first: which ones a filter finds.
import type { OrderState } from '@holdfast/contract/order-machine';
import { readInstant } from '@holdfast/kernel/clock';
import { idFloor, type OrderId, type UserId } from '@holdfast/kernel/ids';
import { sql } from '../platform/sql.ts';
import type { Tx } from '../platform/transact.ts';
import { findOrders, type Order } from './order.ts';

export interface OrderFilter {
  readonly status?: OrderState;
  readonly buyerId?: UserId;
  readonly sellerId?: UserId;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
}

/** Sorts after every id. */
const ID_CEILING = 'ord_~';

export async function listOrderRows(
  tx: Tx,
  filter: OrderFilter,
  after: string | null,
  count: number,
): Promise<Order[]> {
  const floor = (text: string) => idFloor('ord', readInstant(text) ?? 0);
  const { createdAfter, createdBefore } = filter;
  const from = createdAfter === undefined ? idFloor('ord', 0) : floor(createdAfter);
  const ends = createdBefore === undefined ? ID_CEILING : floor(createdBefore);
  const below = after !== null && after < ends ? after : ends;
  const rows = await listOrderIds(tx, filter, from, below, count);
  const ids = rows.map(({ id }) => id);
  return ids.length === 0 ? [] : findOrders(tx, ids);
}

/**
 * Ids begin with their time, so the time filters are a range of the key that orders the list. The
 * filter that an index serves has a statement of its own: a planner that must allow for its absence
 * would read from the newest order on.
 */
function listOrderIds(
  tx: Tx,
  filter: OrderFilter,
  from: string,
  below: string,
  count: number,
): Promise<{ id: OrderId }[]> {
  const { status = null, buyerId = null, sellerId = null } = filter;
  if (buyerId !== null)
    return tx.query(sql`
      select id from orders
      where buyer_id = ${buyerId} and id >= ${from} and id < ${below}
        and marketplace_id = ${tx.marketplace}
        and (${sellerId}::text is null or seller_id = ${sellerId})
        and (${status}::text is null or status = ${status})
      order by id desc limit ${count}`);
  if (sellerId !== null)
    return tx.query(sql`
      select id from orders
      where seller_id = ${sellerId} and id >= ${from} and id < ${below}
        and marketplace_id = ${tx.marketplace} and (${status}::text is null or status = ${status})
      order by id desc limit ${count}`);
  if (status !== null && status !== 'CLOSED')
    return tx.query(sql`
      select o.id from open_order w
      join orders o on o.marketplace_id = w.marketplace_id and o.id = w.order_id
      where w.marketplace_id = ${tx.marketplace} and w.order_id >= ${from}
        and w.order_id < ${below} and o.status = ${status}
      order by w.order_id desc limit ${count}`);
  return tx.query(sql`
    select id from orders
    where marketplace_id = ${tx.marketplace} and id >= ${from} and id < ${below}
      and (${status}::text is null or status = ${status})
    order by id desc limit ${count}`);
}
