//! What a saga is: the steps of one kind of operation, read top to bottom, run again by any drive.
//!
//! Each step leaves a marker in PostgreSQL, so that running a saga again from its first line goes
//! through what is done without doing it and on to what is not. A saga therefore decides only by
//! its plan and by what its steps gave.
import type { ErrorCode } from '@holdfast/contract/errors';
import type { Call, SystemActor } from '../platform/call.ts';
import type { Transactor, Tx } from '../platform/transact.ts';
import type { Done, Outcome, Refused } from '../providers/outcome.ts';
import type { Operation, OperationKind, OperationRefusal } from './operation.ts';

/** What the steps of a saga give is kept as JSON, and comes back as JSON on the first run too. */
export interface SagaRun<A extends Transactor = Transactor> {
  readonly operation: Operation;
  /**
   * The parts of the worker, fenced: a drive that another has taken over writes nothing with them,
   * no envelope either.
   */
  readonly app: A;
  readonly call: Call<SystemActor>;
  /**
   * One attempt of a provider step, remembered when it is done or refused. Unknown ends this drive:
   * there is no line after it until the outcome is known. `movesMoney`: once this is done, the
   * operation only goes forward. `purpose` names the step's envelope.
   */
  provider<T>(
    name: string,
    options: { readonly movesMoney?: boolean },
    work: (purpose: string) => Promise<Outcome<T>>,
  ): Promise<Done<T> | Refused>;
  /** One transaction under a marker of its own; a second run gets what the first one gave. */
  tx<T>(name: string, work: (tx: Tx) => Promise<T>): Promise<T>;
  /** The same, and the operation is done in it: `return run.last(…)` ends a saga. */
  last<T>(name: string, work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * A provider's no. If no money has moved, `undo` takes everything back and says what the caller
   * is told, in one transaction that ends the operation. Else nothing is taken back: the operation
   * is raised to an operator, and the refused step is tried again later.
   */
  refused(outcome: Refused, undo: (tx: Tx) => Promise<OperationRefusal>): Promise<never>;
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

/** What a drive came to. */
export type DriveAnswer =
  | { readonly kind: 'done'; readonly result?: unknown }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly details: object }
  /** The outcome is not known, and will be looked for again. */
  | { readonly kind: 'again'; readonly inMs: number }
  /** Another drive has the operation. */
  | { readonly kind: 'overtaken' };
