//! The engine that executes operations, as requests use it: check health, execute, submit, send.
import { Refusal, refuse } from '@holdfast/contract/errors';
import type { OperationId } from '@holdfast/kernel/ids';
import type { Call } from '../platform/call.ts';
import { read, type Transactor } from '../platform/database/transact.ts';
import { findOperation, isOpen, type Operation } from './operation.ts';
import type { AttemptResult } from './saga.ts';

export interface Engine {
  /**
   * Called before a request writes anything. Refuses ENGINE_UNAVAILABLE when no worker would
   * execute the operation.
   */
  checkUp(): Promise<void>;
  /**
   * Returns the result of the operation's saga, or refuses with the saga's refusal. Refuses
   * PROVIDER_TIMEOUT at the first unknown outcome or at the deadline; the operation continues.
   */
  execute<T>(operation: Operation): Promise<T>;
  /** Starts execution without waiting for it. The sweeper uses this. */
  submit(operation: Operation): Promise<void>;
  /** Sends a message to an object of another service, without waiting for it. */
  send(message: EngineMessage): Promise<void>;
  /**
   * Advances the mark outside the database, or with null reads it; null where there is none. Throws
   * where it cannot be reached.
   */
  advanceMark(to: bigint | null): Promise<bigint | null>;
  /** True for up, false for down, null when no engine is configured. */
  isUp(): Promise<boolean | null>;
  close(): Promise<void>;
}

export interface EngineMessage {
  readonly service: string;
  readonly key: string;
  readonly parameter: unknown;
  /** Messages with the same key are delivered as one. */
  readonly idempotencyKey: string;
}

/** Used when no engine is configured. */
export const noEngine: Engine = {
  checkUp: async () => refuse('ENGINE_UNAVAILABLE', {}),
  execute: async ({ id }) => refuse('PROVIDER_TIMEOUT', { operationId: id }),
  submit: async () => undefined,
  send: async () => undefined,
  advanceMark: async () => null,
  isUp: async () => null,
  close: async () => undefined,
};

/**
 * The current outcome of an operation that an earlier request started: its result, its refusal, or
 * PROVIDER_TIMEOUT while it is open.
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

/** The outcome of an operation that has ended. */
export function settledOutcome<T>({ id, refusal, result }: Operation): T {
  return unwrapResult<T>(
    id,
    refusal === null ? { kind: 'done', result } : { kind: 'refused', ...refusal },
  );
}

/** Turns the result of an attempt into the value or the refusal that the caller gets. */
export function unwrapResult<T>(
  operationId: OperationId,
  result: Exclude<AttemptResult, { readonly kind: 'overtaken' }>,
): T {
  if (result.kind === 'done') return result.result as T;
  if (result.kind === 'again') return refuse('PROVIDER_TIMEOUT', { operationId });
  throw new Refusal(result.code, result.details as never);
}
