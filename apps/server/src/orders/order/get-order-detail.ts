//! Gets an order with its parties, money and open operation: GET /orders/{id}/detail.
import { refuse } from '@holdfast/contract/errors';
import { assert } from '@holdfast/kernel/assert';
import type { OperationId, OrderId, UserId } from '@holdfast/kernel/ids';
import type { Money } from '@holdfast/kernel/money';
import {
  findOrderMoney,
  type OrderFlow,
  sumOrderEntries,
} from '../../accounts/books/order-money.ts';
import { findUser, type User } from '../../accounts/users/user.ts';
import { findOpenOperation } from '../../engine/operation.ts';
import type { Call } from '../../platform/call.ts';
import { read, type Transactor, type Tx } from '../../platform/database/transact.ts';
import { shownTo } from '../../platform/mask.ts';
import { findOrder, type Order } from '../model/order.ts';
import { type OrderRecord, orderRecords } from '../model/order-record.ts';

export interface OrderDetail {
  readonly order: OrderRecord;
  readonly money: OrderBox;
  readonly buyer: User;
  readonly seller: User;
  readonly openOperationId: OperationId | null;
}

/** Where its money is, and where it went. */
interface OrderBox extends OrderFlow {
  readonly reserved: Money;
  /** The amount that is still in escrow. */
  readonly remainder: Money;
}

export async function getOrderDetail(
  app: Transactor,
  call: Call,
  orderId: OrderId,
): Promise<OrderDetail> {
  return read(app, call, async (tx) => {
    const found = (await findOrder(tx, orderId)) ?? refuse('ORDER_NOT_FOUND', { orderId });
    const [order] = await orderRecords(tx, [found]);
    assert(order !== undefined, 'one order makes one record');
    const operation = await findOpenOperation(tx, orderId);
    return {
      order,
      money: await boxOf(tx, order),
      buyer: await partyOf(tx, order.buyerId),
      seller: await partyOf(tx, order.sellerId),
      openOperationId: operation?.id ?? null,
    };
  });
}

async function boxOf(tx: Tx, order: Order): Promise<OrderBox> {
  const flow = await sumOrderEntries(tx, order);
  const reserved = (await findOrderMoney(tx, [order])).get(order.id)?.reserved;
  assert(reserved !== undefined, 'every requested order is returned');
  const { escrowed, released, refunded, fee } = flow;
  return { ...flow, reserved, remainder: escrowed.minus(released).minus(refunded).minus(fee) };
}

async function partyOf(tx: Tx, id: UserId): Promise<User> {
  const user = await findUser(tx, id);
  assert(user !== undefined, 'the parties of an order are users');
  return shownTo(tx.actor, user);
}
