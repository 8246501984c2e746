//! Orders and their milestones, up to the escrow.

import { Type } from 'typebox';
import { endpoint } from '#endpoint';
import { DEBT_REPAYMENT } from '#events';
import {
  amountInput,
  closed,
  createdBetween,
  currency,
  id,
  listQuery,
  metadata,
  oneOf,
  optionalBody,
  optionalText,
  text,
} from '#fields';
import { LENGTHS, MILESTONES_MAX } from '#limits';
import { statesOf } from '#machine';
import { milestoneMachine } from '#machines/milestone-machine';
import { orderMachine } from '#machines/order-machine';
import { MilestoneView, OrderView } from '#records/order-records';
import { SUPPORT } from '#roles';

const order = closed({ id: id('ord') });

const milestoneInput = closed({
  ref: text(LENGTHS.name),
  title: optionalText(LENGTHS.title),
  amount: amountInput(),
});

export const orderEndpoints = {
  createOrder: endpoint('createOrder', 'POST', '/orders', {
    scope: 'write',
    summary:
      'Create an order; the same clientOrderRef and body again return 200 with the same order',
    body: closed({
      buyerId: id('usr'),
      sellerId: id('usr'),
      amount: amountInput(),
      currency: Type.Optional(currency()),
      title: optionalText(LENGTHS.title),
      description: Type.Optional(optionalText(LENGTHS.description)),
      clientOrderRef: Type.Optional(text(LENGTHS.reference)),
      milestones: Type.Optional(Type.Array(milestoneInput, { maxItems: MILESTONES_MAX })),
      metadata: Type.Optional(metadata()),
    }),
    success: { status: 201, also: 200, data: OrderView },
    errors: [
      'USER_NOT_FOUND',
      'USER_NOT_ACTIVE',
      'CLIENT_ORDER_REF_REUSED',
      'AMOUNT_OUT_OF_RANGE',
      'CURRENCY_NOT_ESCROWABLE',
    ],
    emits: ['order.created'],
  }),
  listOrders: endpoint('listOrders', 'GET', '/orders', {
    scope: 'read',
    summary: 'List orders, newest first',
    query: listQuery('ord', {
      status: Type.Optional(oneOf(statesOf(orderMachine))),
      buyerId: Type.Optional(id('usr')),
      sellerId: Type.Optional(id('usr')),
      clientOrderRef: Type.Optional(text(LENGTHS.reference)),
      /** Both included. */
      amountFrom: Type.Optional(amountInput()),
      amountTo: Type.Optional(amountInput()),
      ...createdBetween,
    }),
    success: { status: 200, data: OrderView, list: true },
  }),
  getOrder: endpoint('getOrder', 'GET', '/orders/{id}', {
    scope: 'read',
    summary: 'Get an order with its escrow, dispute and milestones',
    params: order,
    success: { status: 200, data: OrderView },
    errors: ['ORDER_NOT_FOUND'],
  }),
  reserveOrder: endpoint('reserveOrder', 'POST', '/orders/{id}/reserve', {
    scope: 'write',
    summary: 'Reserve the money of the buyer for an order',
    params: order,
    body: optionalBody({}),
    success: { status: 201, data: OrderView },
    errors: ['ORDER_NOT_FOUND', 'INVALID_STATE', 'INSUFFICIENT_FUNDS', 'MARKETPLACE_FROZEN'],
    emits: [...DEBT_REPAYMENT, 'balance.reserved', 'order.funds_reserved'],
  }),
  cancelOrder: endpoint('cancelOrder', 'POST', '/orders/{id}/cancel', {
    scope: 'write',
    operators: SUPPORT,
    summary: 'Cancel an order that has no escrow; reserved money becomes available again',
    params: order,
    body: optionalBody({ reason: Type.Optional(optionalText(LENGTHS.reason)) }),
    success: { status: 201, data: OrderView },
    errors: ['ORDER_NOT_FOUND', 'INVALID_STATE', 'MARKETPLACE_FROZEN'],
    emits: ['balance.released', 'order.canceled', 'order.closed'],
  }),
  listMilestones: endpoint('listMilestones', 'GET', '/orders/{id}/milestones', {
    scope: 'read',
    summary: 'List the milestones of an order, in their original sequence',
    params: order,
    query: listQuery('mil', { status: Type.Optional(oneOf(statesOf(milestoneMachine))) }),
    success: { status: 200, data: MilestoneView, list: true },
    errors: ['ORDER_NOT_FOUND'],
  }),
  completeMilestone: endpoint(
    'completeMilestone',
    'POST',
    '/orders/{id}/milestones/{ref}/complete',
    {
      scope: 'write',
      summary: 'Complete a milestone of an order in progress',
      params: closed({ id: id('ord'), ref: text(LENGTHS.name) }),
      body: optionalBody({}),
      success: { status: 201, data: OrderView },
      errors: ['ORDER_NOT_FOUND', 'MILESTONE_NOT_FOUND', 'INVALID_STATE'],
      emits: ['escrow.milestone_completed'],
    },
  ),
};
