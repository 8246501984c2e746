//! The seller's actions: sending an item, or finishing a milestone.
import { notifyOf } from '../events/notify.ts';
import { Refusal } from '../refusal.ts';
import type { Shop } from '../shop.ts';
import { addNotification } from '../store/notifications.ts';
import type { Person } from '../store/people.ts';
import { markDelivered, milestonesOf, type Purchase } from '../store/purchases.ts';
import { orderCall } from './order-call.ts';

/** No call: what counts as delivered is the shop's own business, and no money moves. */
export function deliver(shop: Shop, seller: Person, purchase: Purchase): void {
  mustBeAtWork(seller, purchase);
  if (milestonesOf(shop.database, purchase.id).length > 0) {
    throw new Refusal(409, 'This order has milestones. Mark each milestone as finished instead.');
  }
  const at = new Date().toISOString();
  markDelivered(shop.database, purchase.id, at);
  const words = `${seller.name} has sent the item.`;
  addNotification(shop.database, {
    id: `delivered:${purchase.id}`,
    purchase: purchase.id,
    words,
    at,
  });
  notifyOf(shop, purchase.id);
}

/** Holdfast releases an order with milestones only when all of them are completed. */
export async function deliverMilestone(
  shop: Shop,
  seller: Person,
  purchase: Purchase,
  ref: string,
): Promise<void> {
  const orderId = mustBeAtWork(seller, purchase);
  await orderCall(shop, purchase.id, shop.holdfast.milestones.complete(orderId, ref));
}

function mustBeAtWork(seller: Person, { seller: id, status, orderId }: Purchase): string {
  if (id !== seller.id) throw new Refusal(403, 'Only the seller can deliver.');
  if (status !== 'IN_PROGRESS' || orderId === null) {
    throw new Refusal(409, 'There is nothing to deliver right now.');
  }
  return orderId;
}
