//! Gets an order with its escrow, dispute and milestones: GET /orders/{id}.
import { refuse } from '@holdfast/contract/errors';
import { assert } from '@holdfast/kernel/assert';
import type { OrderId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { findOrder } from '../model/order.ts';
import { type OrderRecord, orderRecords } from '../model/order-record.ts';

/** Every operation on an order also returns this: the order as it is once the operation is done. */
export async function getOrder(
  app: Transactor,
  call: Call,
  orderId: OrderId,
): Promise<OrderRecord> {
  return read(app, call, async (tx) => {
    const order = (await findOrder(tx, orderId)) ?? refuse('ORDER_NOT_FOUND', { orderId });
    const [record] = await orderRecords(tx, [order]);
    assert(record !== undefined, 'one order makes one record');
    return record;
  });
}
