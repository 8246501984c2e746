//! Finds the orders that match a filter, newest first.
import { BASE_CURRENCY } from '@holdfast/contract/limits';
import type { OrderState } from '@holdfast/contract/machines/order-machine';
import { refuseField } from '@holdfast/contract/validation';
import type { OrderId, UserId } from '@holdfast/kernel/ids';
import { Money } from '@holdfast/kernel/money';
import { type CreatedFilter, idRange } from '../../platform/database/id-range.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import { findOrders, type Order } from '../model/order.ts';

export interface OrderFilter extends CreatedFilter {
  readonly status?: OrderState;
  readonly buyerId?: UserId;
  readonly sellerId?: UserId;
  readonly clientOrderRef?: string;
  /** Both bounds are inclusive. */
  readonly amountFrom?: string;
  readonly amountTo?: string;
}

/** More than any order's amount. */
const AMOUNT_CEILING = 9_000_000_000_000_000n;

export async function listOrderRows(
  tx: Tx,
  filter: OrderFilter,
  after: string | null,
  count: number,
): Promise<Order[]> {
  const { from, below } = idRange('ord', filter, after);
  const least = readBound('amountFrom', filter.amountFrom) ?? 0n;
  const most = readBound('amountTo', filter.amountTo) ?? AMOUNT_CEILING;
  const rows = await listOrderIds(tx, filter, { from, below, least, most, count });
  const ids = rows.map(({ id }) => id);
  return ids.length === 0 ? [] : findOrders(tx, ids);
}

function readBound(name: string, text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined;
  return (
    Money.read(text, BASE_CURRENCY)?.minor ??
    refuseField(name, 'format', `${name} must be a positive amount`)
  );
}

interface Bounds {
  readonly from: string;
  readonly below: string;
  readonly least: bigint;
  readonly most: bigint;
  readonly count: number;
}

/**
 * Ids start with their time, so the time filters are a range of the key that orders the list. Each
 * filter with an index has its own statement. With optional filters in one statement, the planner
 * would scan from the newest order.
 */
async function listOrderIds(
  tx: Tx,
  filter: OrderFilter,
  { from, below, least, most, count }: Bounds,
): Promise<{ id: OrderId }[]> {
  const { status = null, buyerId = null, sellerId = null, clientOrderRef } = filter;
  if (clientOrderRef !== undefined)
    return tx.query(sql`
      select id from orders
      where marketplace_id = ${tx.marketplace} and client_order_ref = ${clientOrderRef}
        and id >= ${from} and id < ${below} and amount between ${least} and ${most}
        and (${buyerId}::text is null or buyer_id = ${buyerId})
        and (${sellerId}::text is null or seller_id = ${sellerId})
        and (${status}::text is null or status = ${status})`);
  if (buyerId !== null)
    return tx.query(sql`
      select id from orders
      where buyer_id = ${buyerId} and id >= ${from} and id < ${below}
        and marketplace_id = ${tx.marketplace} and amount between ${least} and ${most}
        and (${sellerId}::text is null or seller_id = ${sellerId})
        and (${status}::text is null or status = ${status})
      order by id desc limit ${count}`);
  if (sellerId !== null)
    return tx.query(sql`
      select id from orders
      where seller_id = ${sellerId} and id >= ${from} and id < ${below}
        and amount between ${least} and ${most}
        and marketplace_id = ${tx.marketplace} and (${status}::text is null or status = ${status})
      order by id desc limit ${count}`);
  if (status !== null && status !== 'CLOSED')
    return tx.query(sql`
      select w.order_id as id from open_order w
      cross join lateral (select status, amount from orders
        where marketplace_id = w.marketplace_id and id = w.order_id limit 1) o
      where w.marketplace_id = ${tx.marketplace} and w.order_id >= ${from}
        and w.order_id < ${below} and o.status = ${status}
        and o.amount between ${least} and ${most}
      order by w.order_id desc limit ${count}`);
  // A narrow range has few amounts, a wide one many: the planner must see the values.
  if (filter.amountFrom !== undefined || filter.amountTo !== undefined)
    await tx.query(sql`select set_config('plan_cache_mode', 'force_custom_plan', true)`);
  return tx.query(sql`
    select id from orders
    where marketplace_id = ${tx.marketplace} and id >= ${from} and id < ${below}
      and amount between ${least} and ${most}
      and (${status}::text is null or status = ${status})
    order by id desc limit ${count}`);
}
