//! How one operation asks for another, and waits for it: by its row, which says all, and by having
//! it driven.
import { Refusal } from '@holdfast/contract/errors';
import type { OrderState } from '@holdfast/contract/order-machine';
import type { OperationId, OrderId } from '@holdfast/kernel/ids';
import type { Requester } from '../engine/drive-request.ts';
import {
  findOperation,
  isOpen,
  type Operation,
  type OperationRefusal,
} from '../engine/operation.ts';
import type { SagaRun } from '../engine/saga.ts';
import { getOrder } from '../orders/get-order.ts';
import { read, type Tx } from '../platform/transact.ts';
import {
  type Done,
  done,
  type Outcome,
  type Refused,
  refused,
  unknown,
} from '../providers/outcome.ts';
import type { WalletReader } from '../users/get-wallet.ts';

/** What of a process a checkout takes. */
export interface Checkout extends Requester, WalletReader {}

/**
 * Asks for it in a transaction of the parent. What refuses it is a no like a provider's: the order
 * may have been given up or taken further meanwhile, or one of its parties frozen.
 */
export async function requestChild(
  run: SagaRun<Checkout>,
  name: string,
  request: (tx: Tx) => Promise<Operation>,
): Promise<Done<OperationId> | Refused> {
  try {
    return done(await run.tx(name, (tx) => request(tx).then(({ id }) => id)));
  } catch (error) {
    if (error instanceof Refusal && !isPassing(error)) return refusedAs(error);
    throw error;
  }
}

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
  const look = () => read(app, call, (tx) => findOperation(tx, id));
  let operation = await look();
  if (operation !== undefined && isOpen(operation)) {
    await driveOnward(app, operation);
    operation = await look();
  }
  if (operation === undefined) return unknown('the operation is not there yet');
  if (isOpen(operation)) return unknown('the operation has not ended');
  if (operation.refusal !== null) return refusedAs(operation.refusal);
  const { status } = await getOrder(app, call, orderId);
  // A deployment that told no contract yet is followed by a search.
  return status === leaving ? unknown(`the order is ${status}`) : done(null);
}

/** Whatever its drive is refused with: only its row says whether it has ended, and how. */
async function driveOnward({ engine }: Checkout, operation: Operation): Promise<void> {
  try {
    await engine.drive(operation);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

/**
 * Wallets are made in the background: whoever has none yet will have one. Nobody waits for those
 * of an order that has gone on without them.
 */
export async function walletsReady<T>(
  { app, call }: SagaRun<Checkout>,
  orderId: OrderId,
  look: () => Promise<T>,
): Promise<Outcome<T>> {
  try {
    return done(await look());
  } catch (error) {
    if (!(error instanceof Refusal && isPassing(error))) throw error;
    const { status } = await getOrder(app, call, orderId);
    if (status === 'FUNDS_RESERVED') return unknown(error.message);
    return refused('INVALID_STATE', `the order is ${status}`);
  }
}

const isPassing = ({ code }: Refusal): boolean => code === 'SERVICE_UNAVAILABLE';

function refusedAs({ code, details }: OperationRefusal | Refusal): Refused {
  return refused(code, (details as { reason?: string }).reason ?? code);
}
