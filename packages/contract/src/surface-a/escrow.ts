//! Escrow and resolution: the calls that move an order's money on the network.

import { Type } from 'typebox';
import { endpoint } from '#endpoint';
import { DISPUTE_PARTIES, DISPUTE_REASONS } from '#enums';
import { DEBT_REPAYMENT } from '#events';
import { closed, id, oneOf, optionalBody, optionalText, text } from '#fields';
import { EVIDENCE_MAX, LENGTHS } from '#limits';
import { OpenedDisputeView, OrderView } from '#records/order-records';
import { SUPPORT } from '#roles';

const order = closed({ id: id('ord') });
const resolved = closed({ orderId: id('ord') });

const settling = [
  'ORDER_NOT_FOUND',
  'INVALID_STATE',
  'DISPUTE_ALREADY_OPEN',
  'PROVIDER_TIMEOUT',
  'ENGINE_UNAVAILABLE',
  'MARKETPLACE_FROZEN',
] as const;

export const escrowEndpoints = {
  createEscrow: endpoint('createEscrow', 'POST', '/orders/{id}/escrow', {
    scope: 'write',
    summary: 'Deploy the escrow contract of an order whose funds are reserved',
    params: order,
    bodyRead: 'none',
    success: { status: 201, data: OrderView },
    errors: [
      'ORDER_NOT_FOUND',
      'INVALID_STATE',
      'ESCROW_ALREADY_EXISTS',
      'PROVIDER_TIMEOUT',
      'ENGINE_UNAVAILABLE',
      'MARKETPLACE_FROZEN',
    ],
    emits: ['order.escrow_creating', 'escrow.created', 'order.escrow_funding'],
  }),
  fundEscrow: endpoint('fundEscrow', 'POST', '/orders/{id}/escrow/fund', {
    scope: 'write',
    summary: 'Fund the escrow contract with the reserved money',
    params: order,
    bodyRead: 'none',
    success: { status: 201, data: OrderView },
    errors: [
      'ORDER_NOT_FOUND',
      'INVALID_STATE',
      'RESERVE_NOT_FOUND',
      'ESCROW_FUNDING_FAILED',
      'PROVIDER_TIMEOUT',
      'ENGINE_UNAVAILABLE',
      'MARKETPLACE_FROZEN',
    ],
    emits: [
      'balance.debited',
      'escrow.funding_started',
      'escrow.funded',
      'order.escrow_funded',
      'order.in_progress',
      'balance.credited',
      'balance.reserved',
    ],
  }),
  releaseOrder: endpoint('releaseOrder', 'POST', '/orders/{orderId}/resolution/release', {
    scope: 'write',
    operators: SUPPORT,
    secondApprover: 'above-limit',
    summary: 'Release the escrow to the seller',
    params: resolved,
    body: optionalBody({ reason: Type.Optional(optionalText(LENGTHS.reason)) }),
    success: { status: 200, data: OrderView },
    errors: settling,
    emits: [
      'order.release_requested',
      'escrow.released',
      'balance.credited',
      ...DEBT_REPAYMENT,
      'order.released',
      'order.closed',
    ],
  }),
  refundOrder: endpoint('refundOrder', 'POST', '/orders/{orderId}/resolution/refund', {
    scope: 'write',
    operators: SUPPORT,
    secondApprover: 'above-limit',
    summary: 'Refund the escrow to the buyer',
    params: resolved,
    body: closed({ reason: text(LENGTHS.reason) }),
    success: { status: 200, data: OrderView },
    errors: settling,
    emits: [
      'order.refund_requested',
      'escrow.refunded',
      'balance.credited',
      ...DEBT_REPAYMENT,
      'order.refunded',
      'order.closed',
    ],
  }),
  openDispute: endpoint('openDispute', 'POST', '/orders/{orderId}/resolution/dispute', {
    scope: 'write',
    operators: SUPPORT,
    summary: 'Open a dispute on an order in progress; no money moves',
    params: resolved,
    body: closed({
      orderId: text(LENGTHS.reference),
      openedBy: oneOf(DISPUTE_PARTIES),
      reason: oneOf(DISPUTE_REASONS),
      evidence: Type.Optional(Type.Array(text(LENGTHS.url), { maxItems: EVIDENCE_MAX })),
    }),
    success: { status: 201, data: OpenedDisputeView },
    errors: ['ORDER_NOT_FOUND', 'INVALID_STATE', 'DISPUTE_ALREADY_OPEN'],
    emits: ['dispute.opened', 'order.disputed'],
  }),
};
