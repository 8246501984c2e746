//! What the matrix is made of: a saga, the answer that the network gives at one of its steps, and
//! the place at which its worker dies.
import type { NetworkFault } from '../harness/network.ts';
import type { SagaRow } from './sagas.ts';

/** A saga with an answer. Its cells differ only by the place. */
export interface Variant {
  readonly saga: SagaRow;
  readonly milestones: number;
  /** Null where every answer is done. */
  readonly fault: { readonly kind: NetworkFault; readonly step: string } | null;
  /** Refused before any money moved, so that all of it is taken back. */
  readonly isUndone: boolean;
}

export interface Cell extends Variant {
  /** Null for the run in which nobody dies, which finds the places. */
  readonly place: string | null;
}

export interface Result extends Cell {
  /** What is not as it must be; empty when all is. */
  readonly wrong: readonly string[];
  /** The death of a neighbour led around the place, or around the fault: to be run once more. */
  readonly isMissed: boolean;
  /** From the call until nothing moved any more. */
  readonly ms: number;
  /** What the caller was told. */
  readonly told: string;
  /** Every place that was passed, in order. */
  readonly passed: readonly string[];
}

export function answerOf({ fault }: Variant): string {
  return fault?.kind ?? 'done';
}

export function variantName(variant: Variant): string {
  const { saga, milestones, fault } = variant;
  const at = fault === null ? '' : ` at ${fault.step}`;
  return `${saga.name}, ${milestones} milestones, ${answerOf(variant)}${at}`;
}

export function cellName(cell: Cell): string {
  return `${variantName(cell)}, ${cell.place === null ? 'no death' : `dies at ${cell.place}`}`;
}

/** Steps that send something, in order, as a run passed them. */
function sendingSteps(passed: readonly string[]): string[] {
  const sends = passed.filter((place) => place.endsWith(':before-send'));
  return [...new Set(sends.map((place) => place.replace(/:before-send$/, '')))];
}

/** Parts after the second are settled as the second is: after money has moved. */
const LATER_PART = /-([3-9]|\d\d+)$/;
const MOVES_MONEY = /:(release|resolve)(-\d+)?$/;

/** The answers that differ from done, found in a run in which all were done. */
export function faultyVariants(plain: Variant, passed: readonly string[]): Variant[] {
  const steps = sendingSteps(passed);
  return steps.flatMap((step, at) => {
    if (LATER_PART.test(step)) return [];
    const isForward = steps.slice(0, at).some((earlier) => MOVES_MONEY.test(earlier));
    const isUndone = plain.saga.undone !== undefined && !isForward;
    const kinds: NetworkFault[] = ['reject', 'drop-after'];
    if (step.endsWith(':deploy')) kinds.push('no-contract-id');
    return kinds.map((kind) => ({
      ...plain,
      fault: { kind, step },
      isUndone: kind === 'reject' && isUndone,
    }));
  });
}

/** What the engine does around the steps of every saga. */
const AROUND = /:(begin|undo|again|raise|end|await):|^find-contract:/;

/**
 * Where the worker dies. Under an answer other than done: at the step that got it and at what only
 * follows from it; all other places were met in the same way when every answer was done.
 */
export function cellsOf(variant: Variant, passed: readonly string[]): Cell[] {
  const { fault } = variant;
  const near = [...new Set(passed)].filter(
    (place) => fault === null || place.startsWith(`${fault.step}:`) || AROUND.test(place),
  );
  return near.map((place) => ({ ...variant, place }));
}
