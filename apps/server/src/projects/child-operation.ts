//! How one operation waits for another: by its row, which says all, and by having it driven.
import { Refusal } from '@holdfast/contract/errors';
import type { OrderState } from '@holdfast/contract/order-machine';
import type { OperationId, OrderId } from '@holdfast/kernel/ids';
import type { Requester } from '../engine/drive-request.ts';
import { findOperation, isOpen } from '../engine/operation.ts';
import type { SagaRun } from '../engine/saga.ts';
import { getOrder } from '../orders/get-order.ts';
import { read } from '../platform/transact.ts';
import { done, type Outcome, refused, unknown } from '../providers/outcome.ts';
import type { WalletReader } from '../users/get-wallet.ts';

/** What of a process a checkout takes. */
export interface Checkout extends Requester, WalletReader {}

/**
 * Done when it has ended and the order has left the state that it was to take it out of: by now it
 * may be far beyond, since whoever sees it funded can release it.
 */
export async function followChild(
  { app, call }: SagaRun<Checkout>,
  id: OperationId,
  orderId: OrderId,
  leaving: OrderState,
): Promise<Outcome<null>> {
  const operation = await read(app, call, (tx) => findOperation(tx, id));
  if (operation === undefined) return unknown('the operation is not there yet');
  try {
    if (isOpen(operation)) await app.engine.drive(operation);
    else if (operation.refusal !== null) {
      const { code, details } = operation.refusal;
      return refused(code, (details as { reason?: string }).reason ?? code);
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (WAITING.has(error.code)) return unknown(error.message);
    return refused(error.code, (error.details as { reason?: string }).reason ?? error.message);
  }
  const { status } = await getOrder(app, call, orderId);
  // A deployment that told no contract yet is followed by a search.
  return status === leaving ? unknown(`the order is ${status}`) : done(null);
}

const WAITING: ReadonlySet<string> = new Set(['PROVIDER_TIMEOUT', 'ENGINE_UNAVAILABLE']);

/** Wallets are made in the background: whoever has none yet will have one. */
export async function walletsReady<T>(look: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return done(await look());
  } catch (error) {
    if (error instanceof Refusal && error.code === 'SERVICE_UNAVAILABLE')
      return unknown(error.message);
    throw error;
  }
}
