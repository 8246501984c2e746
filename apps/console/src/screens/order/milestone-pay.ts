//! Finds the paid milestones and their payees, from the contract's kind and its operations.
import type { Operation, Order } from '@holdfast/sdk';

export interface Pay {
  readonly words: string;
  readonly at: string | null;
  /** The one that paid it by itself; null where all was paid at once. */
  readonly operationId: string | null;
}

type Paying = Pick<Order, 'escrow' | 'closeReason' | 'dispute'>;
type Steps = Pick<Operation, 'id' | 'kind' | 'steps'>;

const TO = {
  RELEASED: 'Paid to seller',
  REFUNDED: 'Refunded to buyer',
  SPLIT: 'Split by dispute decision',
} as const;
const AWARDS = {
  FULL_RELEASE: TO.RELEASED,
  FULL_REFUND: TO.REFUNDED,
  SPLIT: TO.SPLIT,
} as const;

/** Of the milestone at this place of the order; undefined while it is not paid. */
export function payOf(order: Paying, operations: readonly Steps[], index: number): Pay | undefined {
  return byItself(order, operations, index) ?? withAll(order);
}

/** A contract of several releases pays each milestone by a step of its own. */
function byItself(order: Paying, operations: readonly Steps[], index: number): Pay | undefined {
  if (order.escrow?.contractType !== 'MULTI_RELEASE') return undefined;
  const names = [`release-${index + 1}`, `resolve-${index + 1}`];
  for (const { id, kind, steps } of operations) {
    const step = steps.find(({ name, status }) => names.includes(name) && status === 'DONE');
    if (step !== undefined) return { words: wordsFor(order, kind), at: step.at, operationId: id };
  }
  return undefined;
}

function wordsFor({ dispute }: Paying, kind: string): string {
  if (kind === 'release-order') return TO.RELEASED;
  if (kind === 'refund-order') return TO.REFUNDED;
  const decision = dispute?.resolutionDecision;
  return decision ? AWARDS[decision] : 'Paid by dispute decision';
}

function withAll({ escrow, closeReason }: Paying): Pay | undefined {
  if (escrow === null || closeReason === null || closeReason === 'CANCELED') return undefined;
  const at = escrow.releasedAt ?? escrow.refundedAt;
  return { words: TO[closeReason], at, operationId: null };
}
