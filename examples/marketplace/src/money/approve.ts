//! The buyer approves, and Holdfast pays the seller out of escrow.
import { Refusal } from '../refusal.ts';
import type { Shop } from '../shop.ts';
import type { Person } from '../store/people.ts';
import { milestonesOf, type Purchase } from '../store/purchases.ts';
import { orderCall } from './order-call.ts';

/** A second click is refused with INVALID_STATE, so the seller is not paid twice. */
export async function approve(shop: Shop, buyer: Person, purchase: Purchase): Promise<void> {
  if (purchase.buyer !== buyer.id) throw new Refusal(403, 'Only the buyer can approve.');
  if (purchase.orderId === null || !isDelivered(shop, purchase)) {
    throw new Refusal(409, 'The order has not been delivered yet.');
  }
  const call = shop.holdfast.orders.release(purchase.orderId, { reason: 'approved by the buyer' });
  await orderCall(shop, purchase.id, call);
}

export function isDelivered({ database }: Shop, purchase: Purchase): boolean {
  const milestones = milestonesOf(database, purchase.id);
  return milestones.length === 0
    ? purchase.deliveredAt !== null
    : milestones.every(({ completedAt }) => completedAt !== null);
}

/** The seller cannot or will not deliver: the buyer gets everything back, without a fee. */
export async function giveBack(shop: Shop, seller: Person, purchase: Purchase): Promise<void> {
  if (purchase.seller !== seller.id)
    throw new Refusal(403, 'Only the seller can refund this order.');
  if (purchase.orderId === null) throw new Refusal(409, 'There is nothing to refund yet.');
  const call = shop.holdfast.orders.refund(purchase.orderId, { reason: 'seller cannot deliver' });
  await orderCall(shop, purchase.id, call);
}
