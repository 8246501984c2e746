//! Finds whose pages show a purchase: its buyer's, its seller's, and support's.
import type { Shop } from '../shop.ts';
import { supportIds } from '../store/people.ts';
import { findPurchase } from '../store/purchases.ts';

export function notifyOf({ database, live }: Shop, purchaseId: string): void {
  const purchase = findPurchase(database, purchaseId);
  if (purchase) live.notify([purchase.buyer, purchase.seller, ...supportIds(database)]);
}
