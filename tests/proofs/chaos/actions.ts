//! The requests that move an order, and the standard path through its states.
import type { ActionRequest } from './client.ts';
import type { Next } from './life.ts';
import { isInFlight, type SeenOrder } from './order.ts';

type OrderAction = (order: SeenOrder) => ActionRequest;

const ofOrder = (action: string, path: string, body: object = {}): OrderAction => {
  return ({ id }) => ({ action, path: `/orders/${id}${path}`, body });
};

export const reserve = ofOrder('reserve', '/reserve');
export const cancel = ofOrder('cancel', '/cancel', { reason: 'No longer wanted.' });
export const createEscrow = ofOrder('escrow', '/escrow');
export const fund = ofOrder('fund', '/escrow/fund');
export const release = ofOrder('release', '/resolution/release');
export const refund = ofOrder('refund', '/resolution/refund', { reason: 'It never came.' });

export const dispute: OrderAction = ({ id }) => ({
  action: 'dispute',
  path: `/orders/${id}/resolution/dispute`,
  body: { orderId: id, openedBy: 'BUYER', reason: 'NOT_DELIVERED' },
});

export function complete({ id }: SeenOrder, ref: string): ActionRequest {
  return { action: 'complete', path: `/orders/${id}/milestones/${ref}/complete` };
}

/** Its route accepts an Idempotency-Key, so the client draws one. */
const KEYED = { key: '' };

export function assign(order: SeenOrder): ActionRequest {
  const path = `/disputes/${order.dispute?.id ?? ''}/assign`;
  return { action: 'assign', path, body: { assignedTo: 'agent-1' }, ...KEYED };
}

export function resolve(order: SeenOrder, decision: object): ActionRequest {
  const path = `/disputes/${order.dispute?.id ?? ''}/resolve`;
  return { action: 'resolve', path, body: decision, ...KEYED };
}

/** The next action of a script where it differs from the standard path. */
export interface Branches {
  readonly created?: Next;
  readonly reserved?: Next;
  readonly atWork: Next;
  readonly disputed?: Next;
}

/** Reserves, creates the escrow and funds it; from there on the script decides. */
export function road({ created = reserve, reserved, atWork, disputed }: Branches): Next {
  return (order) => {
    if (isInFlight(order)) return 'wait';
    if (order.status === 'ORDER_CREATED') return created(order);
    if (order.status === 'FUNDS_RESERVED') return (reserved ?? createEscrow)(order);
    if (order.status === 'ESCROW_FUNDING') return fund(order);
    if (order.status === 'IN_PROGRESS') return atWork(order);
    if (order.status === 'DISPUTED') return disputed?.(order) ?? 'end';
    return 'end';
  };
}

/** Completes every milestone first, as a release requires. */
export function completeThen(last: Next): Next {
  return (order) => {
    const open = order.milestones.find(({ status }) => status !== 'COMPLETED');
    return open === undefined ? last(order) : complete(order, open.ref);
  };
}

export const decide =
  (decision: object): Next =>
  (order) =>
    order.dispute?.status === 'OPEN' ? assign(order) : resolve(order, decision);
