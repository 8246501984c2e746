//! How a saga starts another operation and waits for it. The child's row is the only record of its
//! result; the parent has the engine execute it.
import { Refusal } from '@holdfast/contract/errors';
import type { OrderState } from '@holdfast/contract/machines/order-machine';
import type { StepName } from '@holdfast/contract/step-words';
import type { OperationId, OrderId } from '@holdfast/kernel/ids';
import type { WalletReader } from '../../accounts/users/read-wallets.ts';
import type { Requester } from '../../engine/execute-request.ts';
import {
  findOperation,
  isOpen,
  type Operation,
  type OperationRefusal,
} from '../../engine/operation.ts';
import type { SagaRun } from '../../engine/saga.ts';
import { getOrder } from '../../orders/order/read-orders.ts';
import { read, type Tx } from '../../platform/database/transact.ts';
import {
  type Done,
  done,
  type Outcome,
  type Refused,
  refused,
  unknown,
} from '../../providers/outcome.ts';

/** What a checkout needs from the process. */
export interface CheckoutDeps extends Requester, WalletReader {}

/**
 * Requests the child operation in a transaction of the parent. A refusal counts like a provider's
 * refusal: the order may have been given up or moved on, or a party frozen.
 */
export async function requestChild(
  run: SagaRun<CheckoutDeps>,
  name: StepName,
  request: (tx: Tx) => Promise<Operation>,
): Promise<Done<OperationId> | Refused> {
  try {
    return done(await run.txStep(name, (tx) => request(tx).then(({ id }) => id)));
  } catch (error) {
    if (error instanceof Refusal && !isTransient(error)) return refusedAs(error);
    throw error;
  }
}

/**
 * Done when the child has ended and the order has left the given state. The order may be far beyond
 * it by now, since the buyer can release it once it is funded.
 */
export async function trackChild(
  { app, call }: SagaRun<CheckoutDeps>,
  id: OperationId,
  orderId: OrderId,
  leaving: OrderState,
): Promise<Outcome<null>> {
  const load = () => read(app, call, (tx) => findOperation(tx, id));
  let operation = await load();
  if (operation !== undefined && isOpen(operation)) {
    await executeChild(app, operation);
    operation = await load();
  }
  if (operation === undefined) return unknown('the operation is not there yet');
  if (isOpen(operation)) return unknown('the operation has not ended');
  if (operation.refusal !== null) return refusedAs(operation.refusal);
  const { status } = await getOrder(app, call, orderId);
  // A deployment whose reply named no contract is followed by a search.
  return status === leaving ? unknown(`the order is ${status}`) : done(null);
}

/**
 * Ignores the refusal of this attempt: only the operation's row says whether it has ended, and how.
 */
async function executeChild({ engine }: CheckoutDeps, operation: Operation): Promise<void> {
  try {
    await engine.execute(operation);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

/**
 * Wallets are created in the background, so a user without one gets one later. The saga stops
 * waiting when the order has moved on without them.
 */
export async function walletsReady<T>(
  { app, call }: SagaRun<CheckoutDeps>,
  orderId: OrderId,
  load: () => Promise<T>,
): Promise<Outcome<T>> {
  try {
    return done(await load());
  } catch (error) {
    if (!(error instanceof Refusal && isTransient(error))) throw error;
    const { status } = await getOrder(app, call, orderId);
    if (status === 'FUNDS_RESERVED') return unknown(error.message);
    return refused('INVALID_STATE', `the order is ${status}`);
  }
}

const isTransient = ({ code }: Refusal): boolean => code === 'SERVICE_UNAVAILABLE';

function refusedAs({ code, details }: OperationRefusal | Refusal): Refused {
  return refused(code, (details as { reason?: string }).reason ?? code);
}
