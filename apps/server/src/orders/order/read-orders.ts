//! Reads orders and their milestones.
import { refuse } from '@holdfast/contract/errors';
import type { MilestoneState } from '@holdfast/contract/machines/milestone-machine';
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
import { type Page, type PageQuery, pageOf } from '../../platform/database/page.ts';
import { read, type Transactor, type Tx } from '../../platform/database/transact.ts';
import { shownTo } from '../../platform/mask.ts';
import { listMilestoneRows, type Milestone } from '../model/milestone.ts';
import { findOrder, type Order } from '../model/order.ts';
import { type OrderRecord, orderRecords } from '../model/order-record.ts';
import { listOrderRows, type OrderFilter } from './order-list.ts';

/**
 * GET /orders/{id}: with its escrow, dispute and milestones. Every operation on an order also
 * returns this: the order as it is once the operation is done.
 */
export async function getOrder(
  app: Transactor,
  call: Call,
  orderId: OrderId,
): Promise<OrderRecord> {
  return read(app, call, (tx) => orderRecord(tx, orderId));
}

/** GET /orders: newest first. */
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

/** GET /orders/{id}/milestones: in their given order. */
export async function listMilestones(
  app: Transactor,
  call: Call,
  orderId: OrderId,
  query: PageQuery & { readonly status?: MilestoneState },
): Promise<Page<Milestone>> {
  return read(app, call, async (tx) => {
    const order = await requireOrder(tx, orderId);
    return pageOf(query, (after, count) =>
      listMilestoneRows(tx, order, query.status ?? null, after, count),
    );
  });
}

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

/** GET /orders/{id}/detail: with its parties, money and open operation. */
export async function getOrderDetail(
  app: Transactor,
  call: Call,
  orderId: OrderId,
): Promise<OrderDetail> {
  return read(app, call, async (tx) => {
    const order = await orderRecord(tx, orderId);
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

async function requireOrder(tx: Tx, orderId: OrderId): Promise<Order> {
  return (await findOrder(tx, orderId)) ?? refuse('ORDER_NOT_FOUND', { orderId });
}

async function orderRecord(tx: Tx, orderId: OrderId): Promise<OrderRecord> {
  const [record] = await orderRecords(tx, [await requireOrder(tx, orderId)]);
  assert(record !== undefined, 'one order makes one record');
  return record;
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
