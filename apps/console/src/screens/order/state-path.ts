//! The progress of an order through its states: past, current and next.
import type { Order, OrderStatus } from '@holdfast/sdk';

export interface PathStep {
  readonly state: OrderStatus;
  readonly is: 'past' | 'now' | 'ahead';
}

const START: readonly OrderStatus[] = [
  'ORDER_CREATED',
  'FUNDS_RESERVED',
  'ESCROW_CREATING',
  'ESCROW_FUNDING',
  'IN_PROGRESS',
];
const PAID: readonly OrderStatus[] = ['RELEASE_REQUESTED', 'RELEASED', 'CLOSED'];
const PAID_BACK: readonly OrderStatus[] = ['REFUND_REQUESTED', 'REFUNDED', 'CLOSED'];

type OrderFacts = Pick<Order, 'status' | 'closeReason'> & {
  readonly dispute: Pick<NonNullable<Order['dispute']>, 'resolutionDecision'> | null;
};

export function statePath(order: OrderFacts): readonly PathStep[] {
  const states = statesOf(order);
  const at = states.indexOf(order.status);
  return states.map((state, index) => ({
    state,
    is: index < at ? 'past' : index === at ? 'now' : 'ahead',
  }));
}

function statesOf({ status, closeReason, dispute }: OrderFacts): readonly OrderStatus[] {
  // Cancelled before any escrow: how far it had come is not known here.
  if (closeReason === 'CANCELED') return ['ORDER_CREATED', 'CLOSED'];
  if (dispute !== null) {
    const isForBuyer = status === 'REFUNDED' || dispute.resolutionDecision === 'FULL_REFUND';
    return [...START, 'DISPUTED', isForBuyer ? 'REFUNDED' : 'RELEASED', 'CLOSED'];
  }
  const isRefund =
    status === 'REFUND_REQUESTED' || status === 'REFUNDED' || closeReason === 'REFUNDED';
  return [...START, ...(isRefund ? PAID_BACK : PAID)];
}
