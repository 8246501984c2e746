//! Disputes, from the agent's side.

import { Type } from 'typebox';
import { endpoint } from '#endpoint';
import { DECISIONS } from '#enums';
import { DEBT_REPAYMENT } from '#events';
import {
  amountInput,
  closed,
  createdBetween,
  id,
  listQuery,
  oneOf,
  optionalText,
  text,
} from '#fields';
import { LENGTHS } from '#limits';
import { statesOf } from '#machine';
import { disputeMachine } from '#machines/dispute-machine';
import { DisputeView, ListedDisputeView } from '#records/order-records';
import { SUPPORT } from '#roles';

const dispute = closed({ id: id('dsp') });

export const disputeEndpoints = {
  listDisputes: endpoint('listDisputes', 'GET', '/disputes', {
    scope: 'read',
    summary: 'List disputes, newest first unless sort is set',
    query: listQuery('dsp', {
      status: Type.Optional(oneOf(statesOf(disputeMachine))),
      assignedTo: Type.Optional(text(LENGTHS.name)),
      buyerId: Type.Optional(id('usr')),
      sellerId: Type.Optional(id('usr')),
      ...createdBetween,
      /** `oldest` starts with the dispute that has waited longest. */
      sort: Type.Optional(oneOf(['newest', 'oldest'])),
    }),
    success: { status: 200, data: ListedDisputeView, list: true },
  }),
  getDispute: endpoint('getDispute', 'GET', '/disputes/{id}', {
    scope: 'read',
    summary: 'Get a dispute',
    params: dispute,
    success: { status: 200, data: DisputeView },
    errors: ['DISPUTE_NOT_FOUND'],
  }),
  assignDispute: endpoint('assignDispute', 'POST', '/disputes/{id}/assign', {
    scope: 'write',
    operators: SUPPORT,
    idempotent: true,
    summary: 'Assign an open dispute to an agent',
    params: dispute,
    body: closed({ assignedTo: text(LENGTHS.name) }),
    success: { status: 200, data: DisputeView },
    errors: ['DISPUTE_NOT_FOUND', 'INVALID_STATE'],
    emits: ['dispute.under_review'],
  }),
  resolveDispute: endpoint('resolveDispute', 'POST', '/disputes/{id}/resolve', {
    scope: 'support',
    operators: SUPPORT,
    secondApprover: 'above-limit',
    idempotent: true,
    summary: 'Resolve a dispute and execute the decision',
    params: dispute,
    body: closed({
      decision: oneOf(DECISIONS),
      releaseAmount: Type.Optional(amountInput()),
      refundAmount: Type.Optional(amountInput()),
      note: Type.Optional(optionalText(LENGTHS.reason)),
    }),
    success: { status: 200, data: DisputeView },
    errors: [
      'DISPUTE_NOT_FOUND',
      'INVALID_STATE',
      'INVALID_AMOUNT',
      'PROVIDER_TIMEOUT',
      'ENGINE_UNAVAILABLE',
      'MARKETPLACE_FROZEN',
    ],
    statuses: { INVALID_AMOUNT: 422 },
    emits: [
      'escrow.released',
      'escrow.refunded',
      'balance.credited',
      ...DEBT_REPAYMENT,
      'order.released',
      'order.refunded',
      'dispute.resolved',
      'order.closed',
    ],
  }),
};
