//! Reserves the buyer's money for the order: POST /orders/{id}/reserve.
import { assert } from '@holdfast/kernel/assert';
import type { OrderId } from '@holdfast/kernel/ids';
import { Money } from '@holdfast/kernel/money';
import { findBalance } from '../../accounts/books/account.ts';
import { holdForOrder } from '../../accounts/books/order-money.ts';
import { wantWallets } from '../../accounts/users/wallet.ts';
import type { Call } from '../../platform/call.ts';
import { emit } from '../../platform/database/outbox.ts';
import type { Transactor, Tx } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { checkReserve } from '../model/checks.ts';
import { lockOrder, moveOrder, type Order } from '../model/order.ts';
import type { OrderRecord } from '../model/order-record.ts';
import { transactForBuyer } from '../model/serialize-by-user.ts';
import { getOrder } from './read-orders.ts';

export async function reserveOrder(
  app: Transactor,
  call: Call,
  orderId: OrderId,
): Promise<OrderRecord> {
  await transactForBuyer(app, call, orderId, (tx) => reserveFunds(tx, orderId));
  return getOrder(app, call, orderId);
}

/** Runs in the caller's transaction. */
export async function reserveFunds(tx: Tx, orderId: OrderId): Promise<void> {
  const order = await lockOrder(tx, orderId);
  checkReserve(order, await availableTo(tx, order));
  const { status } = await moveOrder(tx, order, 'reserveFunds');
  const { available, reserved } = await holdForOrder(tx, order);
  // The contract will name both.
  await wantWallets(tx, [order.buyerId, order.sellerId]);
  await emit(tx, 'order.funds_reserved', orderId, {
    orderId,
    buyerId: order.buyerId,
    amount: order.amount.text,
    currency: order.currency,
    reservedBalance: reserved.text,
    availableBalance: available.text,
  });
  await audit(tx, {
    action: 'ORDER_FUNDS_RESERVED',
    resourceId: orderId,
    before: { status: order.status },
    after: { status, amount: order.amount.text, currency: order.currency },
  });
}

async function availableTo(tx: Tx, { buyerId, currency }: Order): Promise<Money> {
  const balance = await findBalance(tx, buyerId, currency);
  assert(balance !== undefined, 'a buyer is a user');
  return Money.ofMinor(balance.available, currency);
}
