//! A request that begins an operation and waits for it. Under an Idempotency-Key it begins it once:
//! a repeat gets whatever has become of that one.
import { assert } from '@holdfast/kernel/assert';
import type { OperationId } from '@holdfast/kernel/ids';
import { type Call, Replay } from '../platform/call.ts';
import { read, rebindAnswer, type Transactor, type Tx, transact } from '../platform/transact.ts';
import { type Engine, outcomeOf } from './engine.ts';
import { findOperation, type Operation } from './operation.ts';

export interface Requester extends Transactor {
  readonly engine: Engine;
}

/** What is kept under a key until its operation has an answer: this status, and the operation. */
const OPEN = 504;

/**
 * `begin` is the request's transaction; `answer` looks at what the operation came to. A request
 * that made its resource finds it under the operation's own: a repeat has another id in hand.
 */
export async function driveRequest<R>(
  app: Requester,
  call: Call,
  begin: (tx: Tx) => Promise<Operation>,
  answer: (operation: Operation) => Promise<R>,
): Promise<R> {
  const { idempotency } = call;
  // Said only after the key was looked at: a repeat needs no engine.
  const down = await app.engine.checkUp().then(
    () => undefined,
    (error: unknown) => error as Error,
  );
  const render = (operation: unknown) => ({ status: OPEN, body: (operation as Operation).id });
  const bound = { ...call, idempotency: idempotency && { ...idempotency, render } };
  let operation: Operation;
  try {
    operation = await transact(app, bound, async (tx) => {
      if (down !== undefined) throw down;
      return begin(tx);
    });
  } catch (error) {
    if (error instanceof Replay && error.answer.status === OPEN)
      throw await repeated(app, call, error.answer.body as OperationId, answer);
    throw error;
  }
  await app.engine.drive(operation);
  const result = await answer(operation);
  await settleKey(app, call, operation.id, result);
  return result;
}

/** The answer that a repeat gets; refuses as its operation was refused, or while that is open. */
async function repeated<R>(
  app: Requester,
  call: Call,
  operationId: OperationId,
  answer: (operation: Operation) => Promise<R>,
): Promise<Replay> {
  await outcomeOf(app, call, operationId);
  const operation = await read(app, call, (tx) => findOperation(tx, operationId));
  assert(operation !== undefined, 'an operation that has an outcome is there');
  const kept = await settleKey(app, call, operationId, await answer(operation));
  return new Replay(kept ?? { status: OPEN, body: operationId });
}

/** From here on a repeat is answered to the byte. */
async function settleKey(app: Requester, call: Call, operationId: OperationId, result: unknown) {
  const kept = call.idempotency?.render(result);
  if (kept !== undefined) {
    await rebindAnswer(app, call, operationId, kept).catch((error: Error) =>
      app.log.warn({ operationId, reason: error.message }, 'fail keeping answer'),
    );
  }
  return kept;
}
