//! Finds out what became of calls whose answer was lost, and takes checkouts up again.
import { notifyOf } from '../events/notify.ts';
import type { Shop } from '../shop.ts';
import {
  isBeforeEscrow,
  type Purchase,
  saveOrder,
  setTrouble,
  unfinishedPurchases,
} from '../store/purchases.ts';
import { continueCheckout } from './checkout.ts';

/** At the start of the process, and every few seconds: usually an event was faster. */
export async function settleUnknown(shop: Shop): Promise<void> {
  for (const purchase of unfinishedPurchases(shop.database)) {
    if (isBeforeEscrow(purchase)) await continueCheckout(shop, purchase.id);
    else await settle(shop, purchase);
  }
}

/** Money is on its way: wait. */
const UNDER_WAY: readonly string[] = ['RELEASE_REQUESTED', 'REFUND_REQUESTED'];

async function settle(shop: Shop, { id, orderId, operationId }: Purchase): Promise<void> {
  const { database, holdfast } = shop;
  const asked =
    operationId === null ? undefined : await holdfast.operations.get(operationId).result();
  // RAISED: a person at Holdfast looks at it, and it is tried on. It is not over either.
  if (asked && (!asked.ok || ['RUNNING', 'RAISED'].includes(asked.data.status))) return;
  const order = await holdfast.orders.get(orderId ?? '').result();
  if (!order.ok || UNDER_WAY.includes(order.data.status)) return;
  saveOrder(database, id, order.data);
  setTrouble(database, id, asked?.data.status === 'REFUSED' ? 'REFUSED' : null);
  notifyOf(shop, id);
}
