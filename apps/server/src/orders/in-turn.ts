//! Lets those who move the same user's money go one after the other.
//!
//! Under serializable isolation whoever waits for a row that another changes must start over, and
//! twenty at once would wear each other out. So this process sends them one by one; what other
//! processes do meanwhile costs another try at most.
import { refuse } from '@holdfast/contract/errors';
import type { OrderId, UserId } from '@holdfast/kernel/ids';
import type { Call } from '../platform/call.ts';
import { read, type Transactor, type Tx, transact } from '../platform/transact.ts';
import { findBuyerId } from './order.ts';

const lastOf = new Map<UserId, Promise<unknown>>();

export async function inTurn<T>(userId: UserId, work: () => Promise<T>): Promise<T> {
  const before = lastOf.get(userId);
  const mine = before === undefined ? work() : before.then(work);
  // Whoever comes next waits for the end of it, not for its success.
  const over = mine.catch(() => undefined);
  lastOf.set(userId, over);
  try {
    return await mine;
  } finally {
    if (lastOf.get(userId) === over) lastOf.delete(userId);
  }
}

/** A transaction of an order that moves its buyer's money. */
export async function transactForBuyer<T>(
  app: Transactor,
  call: Call,
  orderId: OrderId,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const buyerId = await read(app, call, (tx) => findBuyerId(tx, orderId));
  if (buyerId === undefined) return refuse('ORDER_NOT_FOUND', { orderId });
  return inTurn(buyerId, () => transact(app, call, work));
}
