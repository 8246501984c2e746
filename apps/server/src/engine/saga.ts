//! Defines a saga: the steps of one kind of operation, run from the first line by every attempt.
//!
//! Each step leaves a marker in PostgreSQL. Running a saga again skips the steps that are done and
//! continues with the others. A saga therefore decides only by its plan and by the results of its
//! steps.
import type { ErrorCode } from '@holdfast/contract/errors';
import type { StepName } from '@holdfast/contract/step-words';
import type { Call, SystemActor } from '../platform/call.ts';
import type { Transactor, Tx } from '../platform/database/transact.ts';
import type { Done, Outcome, Refused } from '../providers/outcome.ts';
import type { Operation, OperationKind, OperationRefusal } from './operation.ts';
import type { ProviderCall } from './operation-step.ts';

/** Step results are stored as JSON, and are returned as JSON on the first run too. */
export interface SagaRun<A extends Transactor = Transactor> {
  readonly operation: Operation;
  /**
   * The worker's dependencies, fenced: an attempt that was overtaken writes nothing with them, not
   * even an envelope.
   */
  readonly app: A;
  readonly call: Call<SystemActor>;
  /**
   * One try at a provider step, stored when it is done or refused. An unknown outcome ends this
   * attempt; the saga continues only once the outcome is known. `purpose` names the step's
   * envelope.
   */
  providerStep<T>(
    name: StepName,
    providerCall: ProviderCall,
    work: (purpose: string) => Promise<Outcome<T>>,
  ): Promise<Done<T> | Refused>;
  /** One transaction with its own marker; a second run returns the result of the first. */
  txStep<T>(name: StepName, work: (tx: Tx) => Promise<T>): Promise<T>;
  /** As `txStep`, and it also ends the operation: `return run.lastStep(…)` ends a saga. */
  lastStep<T>(name: StepName, work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Handles a provider's refusal. If no money has moved, `undo` rolls back and returns the caller's
   * refusal, in one transaction that ends the operation. Otherwise nothing is rolled back: the
   * operation is escalated to an operator, and the refused step is tried again later.
   */
  undoOrEscalate(outcome: Refused, undo: (tx: Tx) => Promise<OperationRefusal>): Promise<never>;
}

export interface Saga<A extends Transactor = Transactor> {
  readonly kind: OperationKind;
  readonly run: (run: SagaRun<A>, plan: unknown) => Promise<unknown>;
}

export type Sagas<A extends Transactor> = ReadonlyMap<OperationKind, Saga<A>>;

export function saga<A extends Transactor, P>(
  kind: OperationKind,
  run: (run: SagaRun<A>, plan: P) => Promise<unknown>,
): Saga<A> {
  return { kind, run: (each, plan) => run(each, plan as P) };
}

export function sagasOf<A extends Transactor>(list: readonly Saga<A>[]): Sagas<A> {
  return new Map(list.map((each) => [each.kind, each]));
}

/** The result of an attempt. */
export type AttemptResult =
  | { readonly kind: 'done'; readonly result?: unknown }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly details: object }
  /** The outcome is unknown; another attempt will check it. */
  | { readonly kind: 'again'; readonly inMs: number }
  /** Another attempt has the operation. */
  | { readonly kind: 'overtaken' };
