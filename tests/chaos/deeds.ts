//! The calls that move an order, and the road on which every life goes.
import type { Asked } from './client.ts';
import type { Next } from './life.ts';
import { isInFlight, type SeenOrder } from './order.ts';

type Deed = (order: SeenOrder) => Asked;

const ofOrder = (deed: string, path: string, body: object = {}): Deed => {
  return ({ id }) => ({ deed, path: `/orders/${id}${path}`, body });
};

export const reserve = ofOrder('reserve', '/reserve');
export const cancel = ofOrder('cancel', '/cancel', { reason: 'No longer wanted.' });
export const createEscrow = ofOrder('escrow', '/escrow');
export const fund = ofOrder('fund', '/escrow/fund');
export const release = ofOrder('release', '/resolution/release');
export const refund = ofOrder('refund', '/resolution/refund', { reason: 'It never came.' });

export const dispute: Deed = ({ id }) => ({
  deed: 'dispute',
  path: `/orders/${id}/resolution/dispute`,
  body: { orderId: id, openedBy: 'BUYER', reason: 'NOT_DELIVERED' },
});

export function complete({ id }: SeenOrder, ref: string): Asked {
  return { deed: 'complete', path: `/orders/${id}/milestones/${ref}/complete` };
}

/** A key of its own is drawn for it, since its route honours one. */
const KEYED = { key: '' };

export function assign(order: SeenOrder): Asked {
  const path = `/disputes/${order.dispute?.id ?? ''}/assign`;
  return { deed: 'assign', path, body: { assignedTo: 'agent-1' }, ...KEYED };
}

export function resolve(order: SeenOrder, decision: object): Asked {
  const path = `/disputes/${order.dispute?.id ?? ''}/resolve`;
  return { deed: 'resolve', path, body: decision, ...KEYED };
}

/** What a script does where the usual road does not go on by itself. */
export interface Turns {
  readonly created?: Next;
  readonly reserved?: Next;
  readonly atWork: Next;
  readonly disputed?: Next;
}

/** Reserve, create the escrow, fund it; from there on the script decides. */
export function road({ created = reserve, reserved, atWork, disputed }: Turns): Next {
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

/** Every milestone first, as a release wants it. */
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
