//! Lists orders, newest first: GET /orders.
import type { Call } from '../../platform/call.ts';
import { type Page, type PageQuery, pageOf } from '../../platform/database/page.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { type OrderRecord, orderRecords } from '../model/order-record.ts';
import { listOrderRows, type OrderFilter } from './order-list.ts';

export async function listOrders(
  app: Transactor,
  call: Call,
  query: PageQuery & OrderFilter,
): Promise<Page<OrderRecord>> {
  return read(app, call, async (tx) => {
    const page = await pageOf(query, (after, count) => listOrderRows(tx, query, after, count));
    return { ...page, items: await orderRecords(tx, page.items) };
  });
}
