//! The cells of the matrix: a saga, the reply of the network or a provider at one of its steps, and
//! the crash point of its worker.
import type { NetworkFault } from '../../harness/network.ts';
import type { PaymentFault } from '../../harness/payment-proxy.ts';
import type { SagaRow } from './saga-row.ts';

export type ReplyFault = NetworkFault | PaymentFault;

/** A saga with its replies. Its cells differ only by the crash point. */
export interface Variant {
  readonly saga: SagaRow;
  readonly milestones: number;
  /** Null where every reply is done. */
  readonly fault: { readonly kind: ReplyFault; readonly step: string } | null;
  /** Refused before any money moved, so that all of it is undone. */
  readonly isUndone: boolean;
}

export interface Cell extends Variant {
  /** Null for the run without a crash, which finds the crash points. */
  readonly crashPoint: string | null;
}

export interface Result extends Cell {
  /** Descriptions of all faults; empty when the cell is right. */
  readonly wrong: readonly string[];
  /** Another cell's crash led the saga past the crash point or the fault: the cell is run again. */
  readonly isMissed: boolean;
  /** From the request until nothing was in flight. */
  readonly ms: number;
  /** The response to the caller. */
  readonly response: string;
  /** Every crash point that was passed, in order. */
  readonly passed: readonly string[];
}

export function outcomeOf({ fault }: Variant): string {
  return fault?.kind ?? 'done';
}

export function variantName(variant: Variant): string {
  const { saga, milestones, fault } = variant;
  const at = fault === null ? '' : ` at ${fault.step}`;
  return `${saga.name}, ${milestones} milestones, ${outcomeOf(variant)}${at}`;
}

export function cellName(cell: Cell): string {
  return `${variantName(cell)}, ${cell.crashPoint === null ? 'no crash' : `crashes at ${cell.crashPoint}`}`;
}

/** Steps that send something, in order, as a run passed them. */
function sendingSteps(passed: readonly string[]): string[] {
  const sends = passed.filter((crashPoint) => crashPoint.endsWith(':before-send'));
  return [...new Set(sends.map((crashPoint) => crashPoint.replace(/:before-send$/, '')))];
}

/** Parts after the second are settled like the second: after money has moved. */
const LATER_MILESTONE = /-([3-9]|\d\d+)$/;
const MOVES_MONEY = /:(release|resolve)(-\d+)?$/;

/** The replies that differ from done, derived from a run in which all were done. */
export function faultyVariants(plain: Variant, passed: readonly string[]): Variant[] {
  if (isPayment(plain)) return faultyPayments(plain, passed);
  const steps = sendingSteps(passed);
  return steps.flatMap((step, at) => {
    if (LATER_MILESTONE.test(step)) return [];
    const isForward = steps.slice(0, at).some((earlier) => MOVES_MONEY.test(earlier));
    const isUndone = plain.saga.undone !== undefined && !isForward;
    const kinds: ReplyFault[] = ['reject', 'drop-after'];
    if (step.endsWith(':deploy')) kinds.push('no-contract-id');
    return kinds.map((kind) => ({
      ...plain,
      fault: { kind, step },
      isUndone: kind === 'reject' && isUndone,
    }));
  });
}

export function isPayment({ saga }: Pick<Variant, 'saga'>): boolean {
  return saga.isPayment === true;
}

export function isJob({ saga }: Pick<Variant, 'saga'>): boolean {
  return saga.job !== undefined;
}

const PAYMENT_REPLIES = ['reject', 'drop-after', 'late', 'doubled'] as const;

/** Every reply at each of its calls of the provider and at each of its sends over the network. */
function faultyPayments(plain: Variant, passed: readonly string[]): Variant[] {
  const { providerCalls = {}, networkReads = [], undone } = plain.saga;
  const isRead = (step: string) =>
    networkReads.includes(step) || providerCalls[step]?.endsWith('.find') === true;
  const steps = [...Object.keys(providerCalls), ...networkReads, ...sendingSteps(passed)];
  return steps.flatMap((step) =>
    // A search is never refused.
    PAYMENT_REPLIES.filter((kind) => kind !== 'reject' || !isRead(step)).map((kind) => ({
      ...plain,
      fault: { kind, step },
      isUndone: kind === 'reject' && undone !== undefined,
    })),
  );
}

/** Steps of the engine around the steps of every saga. */
const AROUND = /:(start|undo|again|escalate|end|await):|^find-contract:/;

/**
 * The crash points of a variant. With a reply other than done: those of the step that received it
 * and of its consequences; all others were covered when every reply was done.
 */
export function cellsOf(variant: Variant, passed: readonly string[]): Cell[] {
  const { fault } = variant;
  const near = [...new Set(passed)].filter(
    (crashPoint) =>
      fault === null || crashPoint.startsWith(`${fault.step}:`) || AROUND.test(crashPoint),
  );
  return near.map((crashPoint) => ({ ...variant, crashPoint: crashPoint }));
}
