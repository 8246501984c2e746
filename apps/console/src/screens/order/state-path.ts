//! The way of an order through its states: what is behind it, where it is, what is ahead.
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

type Told = Pick<Order, 'status' | 'closeReason'> & {
  readonly dispute: Pick<NonNullable<Order['dispute']>, 'resolutionDecision'> | null;
};

export function statePath(order: Told): readonly PathStep[] {
  const states = statesOf(order);
  const at = states.indexOf(order.status);
  return states.map((state, index) => ({
    state,
    is: index < at ? 'past' : index === at ? 'now' : 'ahead',
  }));
}

function statesOf({ status, closeReason, dispute }: Told): readonly OrderStatus[] {
  // Given up before any escrow: nobody can tell here how far it had come.
  if (closeReason === 'CANCELED') return ['ORDER_CREATED', 'CLOSED'];
  if (dispute !== null) {
    const isForBuyer = status === 'REFUNDED' || dispute.resolutionDecision === 'FULL_REFUND';
    return [...START, 'DISPUTED', isForBuyer ? 'REFUNDED' : 'RELEASED', 'CLOSED'];
  }
  const isRefund =
    status === 'REFUND_REQUESTED' || status === 'REFUNDED' || closeReason === 'REFUNDED';
  return [...START, ...(isRefund ? PAID_BACK : PAID)];
}
