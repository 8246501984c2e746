//! Cancels an order that has no escrow yet: POST /orders/{id}/cancel.
import { instantText } from '@holdfast/kernel/clock';
import type { OrderId } from '@holdfast/kernel/ids';
import { returnOrderHold } from '../../accounts/books/order-money.ts';
import type { Call } from '../../platform/call.ts';
import { emit } from '../../platform/database/outbox.ts';
import type { Transactor, Tx } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { checkCancel } from '../model/checks.ts';
import { lockOrder, moveOrder } from '../model/order.ts';
import type { OrderRecord } from '../model/order-record.ts';
import { transactForBuyer } from '../model/serialize-by-user.ts';
import { getOrder } from './read-orders.ts';

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
