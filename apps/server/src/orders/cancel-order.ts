//! Cancels an order that has no escrow yet: POST /orders/{id}/cancel.
import { instantText } from '@holdfast/kernel/clock';
import type { OrderId } from '@holdfast/kernel/ids';
import { audit } from '../audit/audit-entry.ts';
import { returnOrderHold } from '../books/order-money.ts';
import type { Call } from '../platform/call.ts';
import { emit } from '../platform/outbox.ts';
import type { Transactor, Tx } from '../platform/transact.ts';
import { checkCancel } from './checks.ts';
import { getOrder } from './get-order.ts';
import { lockOrder, moveOrder } from './order.ts';
import type { OrderRecord } from './order-record.ts';
import { transactForBuyer } from './serialize-by-user.ts';

export async function cancelOrder(
  app: Transactor,
  call: Call,
  orderId: OrderId,
  { reason }: { readonly reason?: string } = {},
): Promise<OrderRecord> {
  await transactForBuyer(app, call, orderId, (tx) => cancelInTransaction(tx, orderId, reason));
  return getOrder(app, call, orderId);
}

/** Runs in the caller's transaction. */
export async function cancelInTransaction(
  tx: Tx,
  orderId: OrderId,
  reason: string | undefined,
): Promise<void> {
  const order = await lockOrder(tx, orderId);
  checkCancel(order);
  const fundsReleased = order.status === 'FUNDS_RESERVED';
  const { status, closeReason } = await moveOrder(tx, order, 'cancel', {
    closeReason: 'CANCELED',
  });
  if (fundsReleased) await returnOrderHold(tx, order, reason ?? null);
  const now = instantText(tx.now);
  await emit(tx, 'order.canceled', orderId, {
    orderId,
    buyerId: order.buyerId,
    canceledBy: tx.actor.id,
    ...(reason === undefined ? {} : { reason }),
    canceledAt: now,
    fundsReleased,
  });
  await emit(tx, 'order.closed', orderId, {
    orderId,
    finalStatus: 'CANCELED',
    closedAt: now,
  });
  await audit(tx, {
    action: 'ORDER_CANCELED',
    resourceId: orderId,
    before: { status: order.status },
    after: { status, closeReason, fundsReleased },
    reason,
  });
}
