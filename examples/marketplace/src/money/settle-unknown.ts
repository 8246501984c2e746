//! Checks the outcome of calls whose response was lost, and resumes checkouts.
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
  const operation =
    operationId === null ? undefined : await holdfast.operations.get(operationId).result();
  // ESCALATED: an operator of Holdfast is checking it, and retries continue. It is not over.
  if (operation && (!operation.ok || ['RUNNING', 'ESCALATED'].includes(operation.data.status)))
    return;
  const order = await holdfast.orders.get(orderId ?? '').result();
  if (!order.ok || UNDER_WAY.includes(order.data.status)) return;
  saveOrder(database, id, order.data);
  setTrouble(database, id, operation?.data.status === 'REFUSED' ? 'REFUSED' : null);
  notifyOf(shop, id);
}
