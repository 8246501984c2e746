//! Buying: order, reserve, escrow, fund. Any step can be interrupted and resumed.
import type { Order } from '@holdfast/sdk';
import { Refusal } from '../refusal.ts';
import type { Shop } from '../shop.ts';
import type { Item } from '../store/items.ts';
import { findPerson, type Person } from '../store/people.ts';
import {
  addPurchase,
  findPurchase,
  milestonesOf,
  type Purchase,
  saveOrder,
} from '../store/purchases.ts';
import { orderCall } from './order-call.ts';

/** How long the shop waits for an unknown outcome before the page shows that it is checking. */
const PATIENCE_MS = 3_000;

/**
 * Returns as soon as the buyer's money is reserved. Escrow and funding need the network and take
 * a moment; they continue in the background, and the page shows their progress live.
 */
export async function buy(shop: Shop, buyer: Person, item: Item, cart: string): Promise<void> {
  if (buyer.role !== 'buyer') throw new Refusal(403, 'Sign in as a buyer to buy something.');
  addPurchase(shop.database, cart, item, buyer);
  const purchase = findPurchase(shop.database, cart);
  if (purchase?.buyer !== buyer.id) throw new Refusal(409, 'This cart belongs to another buyer.');
  shop.busy.add(cart);
  try {
    await reserveFor(shop, purchase);
  } finally {
    shop.busy.delete(cart);
  }
}

async function reserveFor(shop: Shop, purchase: Purchase): Promise<void> {
  const { orders } = shop.holdfast;
  const order = await orderCall(shop, purchase.id, orderOf(shop, purchase));
  if (!order.ok || order.data.status !== 'ORDER_CREATED') return;
  const { id } = order.data;
  const reserved = await orderCall(shop, purchase.id, orders.reserve(id));
  if (reserved.ok || reserved.error.code !== 'INSUFFICIENT_FUNDS') return;
  // Nothing was reserved, so the order is given up: no cart waits for money that may never come.
  await orderCall(shop, purchase.id, orders.cancel(id, { reason: 'insufficient balance' }));
  throw new Refusal(409, 'Your balance is too low. Top up first; you have not been charged.');
}

/** From wherever the checkout stands to money in escrow; safe at any time, after a crash too. */
export async function continueCheckout(shop: Shop, purchaseId: string): Promise<void> {
  const purchase = findPurchase(shop.database, purchaseId);
  if (purchase === undefined || shop.busy.has(purchaseId)) return;
  shop.busy.add(purchaseId);
  try {
    await orderCall(shop, purchaseId, checkout(shop, purchase));
  } finally {
    shop.busy.delete(purchaseId);
  }
}

/** Reserve, escrow, fund: `orders.checkout` does what is left, and no step twice. */
async function checkout(shop: Shop, purchase: Purchase): Promise<Order> {
  const order = await orderOf(shop, purchase);
  saveOrder(shop.database, purchase.id, order);
  if (order.status === 'CLOSED') return order;
  return shop.holdfast.orders.checkout(order.id, { timeoutMs: PATIENCE_MS });
}

/** `clientOrderRef` is the business fact: the same cart again returns the same order. */
function orderOf({ database, holdfast }: Shop, purchase: Purchase): Promise<Order> {
  if (purchase.orderId !== null) return holdfast.orders.get(purchase.orderId);
  const userOf = (person: string) => findPerson(database, person)?.userId ?? '';
  return holdfast.orders.create({
    buyerId: userOf(purchase.buyer),
    sellerId: userOf(purchase.seller),
    amount: purchase.amount,
    currency: 'USD',
    title: purchase.title,
    clientOrderRef: `checkout:${purchase.id}`,
    milestones: milestonesOf(database, purchase.id).map(({ ref, title, amount }) => ({
      ref,
      title,
      amount,
    })),
  });
}

/** The buyer gives up a checkout that a provider refused; what was reserved is theirs again. */
export async function cancelCheckout(shop: Shop, buyer: Person, purchase: Purchase) {
  if (purchase.buyer !== buyer.id || purchase.orderId === null) {
    throw new Refusal(403, 'Only the buyer can cancel.');
  }
  await orderCall(shop, purchase.id, shop.holdfast.orders.cancel(purchase.orderId));
}
