//! What drives operations, as requests see it: is it there, drive this one, what became of that.
import { Refusal, refuse } from '@holdfast/contract/errors';
import type { OperationId } from '@holdfast/kernel/ids';
import type { Call } from '../platform/call.ts';
import { read, type Transactor } from '../platform/transact.ts';
import { findOperation, isOpen, type Operation } from './operation.ts';
import type { DriveAnswer } from './saga.ts';

export interface Engine {
  /**
   * Before a request writes anything: refuses ENGINE_UNAVAILABLE when nothing would drive what it
   * begins.
   */
  checkUp(): Promise<void>;
  /**
   * What the operation's saga gave. Refuses as the saga was refused; refuses PROVIDER_TIMEOUT at
   * the first unknown outcome, or when the request has waited long enough. The operation goes on.
   */
  drive<T>(operation: Operation): Promise<T>;
  /** Has it driven without waiting for it: for the sweeper. */
  submit(operation: Operation): Promise<void>;
  /** Has an object of another service look, without waiting for it. */
  send(message: EngineMessage): Promise<void>;
  /** True for up, false for down, null where none is configured. */
  isUp(): Promise<boolean | null>;
  close(): Promise<void>;
}

export interface EngineMessage {
  readonly service: string;
  readonly key: string;
  readonly parameter: unknown;
  /** The same message twice is one, as long as this is the same. */
  readonly idempotencyKey: string;
}

/** Where none is configured. */
export const noEngine: Engine = {
  checkUp: async () => refuse('ENGINE_UNAVAILABLE', {}),
  drive: async ({ id }) => refuse('PROVIDER_TIMEOUT', { operationId: id }),
  submit: async () => undefined,
  send: async () => undefined,
  isUp: async () => null,
  close: async () => undefined,
};

/**
 * The present outcome of an operation that an earlier request began: what its saga gave, its
 * refusal, or the same PROVIDER_TIMEOUT while it is open.
 */
export async function outcomeOf<T>(
  app: Transactor,
  call: Call,
  operationId: OperationId,
): Promise<T> {
  const operation = await read(app, call, (tx) => findOperation(tx, operationId));
  if (operation === undefined) return refuse('OPERATION_NOT_FOUND', { operationId });
  if (isOpen(operation)) return refuse('PROVIDER_TIMEOUT', { operationId });
  return settledOutcome<T>(operation);
}

/** Of an operation that has ended. */
export function settledOutcome<T>({ id, refusal, result }: Operation): T {
  return answerOf<T>(
    id,
    refusal === null ? { kind: 'done', result } : { kind: 'refused', ...refusal },
  );
}

/** What a drive came to, as its caller is told. */
export function answerOf<T>(
  operationId: OperationId,
  answer: Exclude<DriveAnswer, { readonly kind: 'overtaken' }>,
): T {
  if (answer.kind === 'done') return answer.result as T;
  if (answer.kind === 'again') return refuse('PROVIDER_TIMEOUT', { operationId });
  throw new Refusal(answer.code, answer.details as never);
}
