//! One call about an order, and the record of each way in which it can end.
import { type HoldfastFailure, isHoldfastError, type Order, type Result } from '@holdfast/sdk';
import { notifyOf } from '../events/notify.ts';
import type { Shop } from '../shop.ts';
import { findPurchase, saveOrder, setTrouble } from '../store/purchases.ts';

/**
 * Three ends, never two: it worked, it was refused, or its outcome is unknown. The third is stored
 * and shown as CHECKING, and settled by an event or by `settle-unknown.ts`. It is never treated
 * as a failure: the money may have moved.
 */
export async function orderCall(
  shop: Shop,
  purchaseId: string,
  call: Promise<Order>,
): Promise<Result<Order>> {
  const result = await resultOf(call);
  if (result.ok) {
    saveOrder(shop.database, purchaseId, result.data);
    setTrouble(shop.database, purchaseId, null);
  } else {
    await writeDown(shop, purchaseId, result.error);
  }
  notifyOf(shop, purchaseId);
  return result;
}

/** `call.result()` for any promise, such as that of `orders.checkout`, which is many calls. */
async function resultOf<T>(call: Promise<T>): Promise<Result<T>> {
  try {
    return { ok: true, data: await call };
  } catch (error) {
    if (isHoldfastError(error)) return { ok: false, error };
    throw error;
  }
}

/** Another request was faster: a second click, another tab. The order has moved on; no error. */
const MOVED_ON: readonly string[] = ['INVALID_STATE', 'ESCROW_ALREADY_EXISTS', 'STATE_NOT_REACHED'];
/** A provider decided against it, and nothing has moved. Trying again is for a person to want. */
const REFUSED: readonly string[] = ['ESCROW_FUNDING_FAILED', 'INTERNAL_ERROR'];

async function writeDown(shop: Shop, purchaseId: string, error: HoldfastFailure): Promise<void> {
  const { database, holdfast } = shop;
  // No response, or a temporary error: the shop checks again by itself.
  const isOpen = error.retry === 'check-first' || error.retry === 'later';
  if (isOpen && !REFUSED.includes(error.code)) {
    const operationId = error.code === 'PROVIDER_TIMEOUT' ? error.details.operationId : null;
    setTrouble(database, purchaseId, 'CHECKING', operationId);
    return;
  }
  if (!MOVED_ON.includes(error.code)) setTrouble(database, purchaseId, 'REFUSED');
  // A refusal returns an order to an earlier state, and no event reports that.
  const orderId = findPurchase(database, purchaseId)?.orderId;
  const order = orderId ? await holdfast.orders.get(orderId).result() : undefined;
  if (order?.ok) saveOrder(database, purchaseId, order.data);
}
