//! Runs a request that starts an operation and waits for it. Under an Idempotency-Key the operation
//! starts once: a repeated request gets the current outcome of that operation.
import { assert } from '@holdfast/kernel/assert';
import type { OperationId } from '@holdfast/kernel/ids';
import { type Call, OpenRequest, Replay } from '../platform/call.ts';
import {
  read,
  storeOperationResponse,
  type Transactor,
  type Tx,
  transact,
} from '../platform/database/transact.ts';
import { type Engine, outcomeOf } from './engine.ts';
import { findOperation, type Operation } from './operation.ts';

export interface Requester extends Transactor {
  readonly engine: Engine;
}

/**
 * `start` is the request's transaction; `readResult` reads the operation's result. A repeated
 * request carries a new resource id, so the created resource is found through the operation.
 */
export async function executeRequest<R>(
  app: Requester,
  call: Call,
  start: (tx: Tx) => Promise<Operation>,
  readResult: (operation: Operation) => Promise<R>,
): Promise<R> {
  const { idempotency } = call;
  // Thrown only after the key was checked: a repeated request needs no engine.
  const down = await app.engine.checkUp().then(
    () => undefined,
    (error: unknown) => error as Error,
  );
  // Until the operation has a result, the key stores its id.
  const operationOf = (operation: unknown) => (operation as Operation).id;
  const bound = { ...call, idempotency: idempotency && { ...idempotency, operationOf } };
  let operation: Operation;
  try {
    operation = await transact(app, bound, async (tx) => {
      if (down !== undefined) throw down;
      return start(tx);
    });
  } catch (error) {
    if (error instanceof OpenRequest)
      throw await replayOf(app, call, error.operationId as OperationId, readResult);
    throw error;
  }
  await app.engine.execute(operation);
  const result = await readResult(operation);
  const { id, correlationId, createdAt } = operation;
  call.onWrite?.({ id, requestId: correlationId, at: createdAt });
  await settleKey(app, call, operation.id, result);
  return result;
}

/**
 * The response to a repeated request. Refuses with the operation's refusal, or while it is open.
 */
async function replayOf<R>(
  app: Requester,
  call: Call,
  operationId: OperationId,
  readResult: (operation: Operation) => Promise<R>,
): Promise<Replay> {
  await outcomeOf(app, call, operationId);
  const operation = await read(app, call, (tx) => findOperation(tx, operationId));
  assert(operation !== undefined, 'an operation that has an outcome is there');
  const stored = await settleKey(app, call, operationId, await readResult(operation));
  assert(stored !== undefined, 'only a request with a key is repeated');
  return new Replay(stored);
}

/** Stores the response: from here on a repeated request gets the same bytes. */
async function settleKey(app: Requester, call: Call, operationId: OperationId, result: unknown) {
  const stored = call.idempotency?.render(result);
  if (stored !== undefined) {
    await storeOperationResponse(app, call, operationId, stored).catch((error: Error) =>
      app.log.warn({ operationId, err: error }, 'response not stored'),
    );
  }
  return stored;
}
