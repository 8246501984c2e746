//! Serializes the transactions that move one user's money.
//!
//! Under serializable isolation, a transaction that waits for a row another one changes must start
//! over. Twenty at once would exhaust their retries, so this process runs them one by one. A
//! collision with another process costs at most one retry.
import { refuse } from '@holdfast/contract/errors';
import type { OrderId, UserId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { read, type Transactor, type Tx, transact } from '../../platform/database/transact.ts';
import { findBuyerId } from './order.ts';

const lastByUser = new Map<UserId, Promise<unknown>>();

export async function serializeByUser<T>(userId: UserId, work: () => Promise<T>): Promise<T> {
  const before = lastByUser.get(userId);
  const mine = before === undefined ? work() : before.then(work);
  // The next one waits for the end of this one, not for its success.
  const over = mine.catch(() => undefined);
  lastByUser.set(userId, over);
  try {
    return await mine;
  } finally {
    if (lastByUser.get(userId) === over) lastByUser.delete(userId);
  }
}

/** Runs a transaction that moves the money of the order's buyer. */
export async function transactForBuyer<T>(
  app: Transactor,
  call: Call,
  orderId: OrderId,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const buyerId = await read(app, call, (tx) => findBuyerId(tx, orderId));
  if (buyerId === undefined) return refuse('ORDER_NOT_FOUND', { orderId });
  return serializeByUser(buyerId, () => transact(app, call, work));
}
