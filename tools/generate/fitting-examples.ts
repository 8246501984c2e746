//! Examples whose fields must agree: an order after a call, a balance before and after an event.
import type { OrderAction } from '@holdfast/contract/lifecycle';
import type { EscrowView, OrderView } from '@holdfast/contract/records/order-records';
import { pageExample } from './page-examples.ts';
import type { JsonSchema } from './schema.ts';

type Example = Record<string, unknown>;

interface OrderExample {
  readonly status: OrderView['status'];
  readonly escrow?: Pick<EscrowView, 'status' | 'fundedAt' | 'releasedAt' | 'refundedAt'>;
  readonly next?: OrderAction;
  readonly closeReason?: NonNullable<OrderView['closeReason']>;
}

const NOW = '2026-03-01T12:00:00.000Z';
const unsettled = { fundedAt: null, releasedAt: null, refundedAt: null };
const settled = { ...unsettled, fundedAt: NOW };

/** By endpoint: the order that its response shows. */
const ORDERS: Readonly<Record<string, OrderExample>> = {
  reserveOrder: { status: 'FUNDS_RESERVED', next: 'create_escrow' },
  cancelOrder: { status: 'CLOSED', closeReason: 'CANCELED' },
  createEscrow: {
    status: 'ESCROW_FUNDING',
    escrow: { status: 'CREATED', ...unsettled },
    next: 'fund_escrow',
  },
  fundEscrow: {
    status: 'IN_PROGRESS',
    escrow: { status: 'FUNDED', ...settled },
    next: 'complete_milestone',
  },
  releaseOrder: {
    status: 'CLOSED',
    escrow: { status: 'RELEASED', ...settled, releasedAt: NOW },
    closeReason: 'RELEASED',
  },
  refundOrder: {
    status: 'CLOSED',
    escrow: { status: 'REFUNDED', ...settled, refundedAt: NOW },
    closeReason: 'REFUNDED',
  },
};

/** By event: balances before and after it, for the amount 100.00. */
const BALANCES: Readonly<Record<string, Example>> = {
  'balance.debited': { previousAvailableBalance: '100.00', newAvailableBalance: '0.00' },
  'balance.reserved': { previousAvailableBalance: '100.00', newAvailableBalance: '0.00' },
  'balance.released': { previousReservedBalance: '100.00', newReservedBalance: '0.00' },
};

export function responseExample(endpointId: string, schema: JsonSchema): unknown {
  const example = pageExample(schema);
  if (!Object.hasOwn(ORDERS, endpointId)) return example;
  return { ...(example as Example), ...orderFields(ORDERS[endpointId] as OrderExample, schema) };
}

function orderFields({ status, escrow, next, closeReason }: OrderExample, schema: JsonSchema) {
  const { escrow: escrowSchema = {}, milestones: milestoneSchema = {} } = schema.properties ?? {};
  const [milestone] = pageExample(milestoneSchema, 'milestones') as [Example];
  const isComplete = status === 'CLOSED' && closeReason === 'RELEASED';
  return {
    status,
    closeReason: closeReason ?? null,
    escrow:
      escrow === undefined
        ? null
        : { ...(pageExample(escrowSchema, 'escrow', 'filled') as Example), ...escrow },
    milestones: [isComplete ? { ...milestone, status: 'COMPLETED', completedAt: NOW } : milestone],
    allowedActions: next === undefined ? [] : [{ action: next, allowed: true, reason: null }],
  };
}

export function payloadExample(eventName: string, schema: JsonSchema): Example {
  return { ...(pageExample(schema) as Example), ...BALANCES[eventName] };
}
