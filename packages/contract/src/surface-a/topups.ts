//! Top-ups: money that comes in through the payment provider.

import { Type } from 'typebox';
import { endpoint } from '#endpoint';
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
  webUrl,
} from '#fields';
import { LENGTHS } from '#limits';
import { statesOf } from '#machine';
import { topupMachine } from '#machines/topup-machine';
import { TopupView } from '#records/payment-records';
import { ANY_ACTING } from '#roles';

const topup = closed({ id: id('topup') });

/** The possible results of polling the provider. */
const outcomes = [
  'topup.confirmation_required',
  'topup.processing',
  'topup.succeeded',
  'topup.failed',
  'topup.canceled',
  'balance.credited',
  'balance.debited',
  'topup.reversed',
  'topup.reinstated',
  'user.debt_opened',
  'user.debt_repaid',
  // Users owe more than the terms allow.
  'marketplace.stopped',
] as const;

export const topupEndpoints = {
  createTopup: endpoint('createTopup', 'POST', '/topups', {
    scope: 'write',
    idempotent: true,
    summary: 'Create a top-up; the user confirms it on the payment page at confirmationUri',
    body: closed({
      userId: id('usr'),
      amount: amountInput(),
      currency: Type.Optional(currency()),
      description: Type.Optional(optionalText(LENGTHS.description)),
      returnUrl: Type.Optional(webUrl()),
      cancelUrl: Type.Optional(webUrl()),
      metadata: Type.Optional(metadata()),
    }),
    success: { status: 201, data: TopupView },
    errors: [
      'USER_NOT_FOUND',
      'USER_NOT_ACTIVE',
      'AMOUNT_OUT_OF_RANGE',
      'CURRENCY_NOT_SUPPORTED',
      'PROVIDER_TIMEOUT',
      'ENGINE_UNAVAILABLE',
      'MARKETPLACE_FROZEN',
    ],
    emits: ['topup.created', 'topup.confirmation_required', 'topup.failed'],
  }),
  listTopups: endpoint('listTopups', 'GET', '/topups', {
    scope: 'read',
    summary: 'List top-ups, newest first',
    query: listQuery('topup', {
      status: Type.Optional(oneOf(statesOf(topupMachine))),
      userId: Type.Optional(id('usr')),
      ...createdBetween,
    }),
    success: { status: 200, data: TopupView, list: true },
  }),
  getTopup: endpoint('getTopup', 'GET', '/topups/{id}', {
    scope: 'read',
    summary: 'Get a top-up',
    params: topup,
    success: { status: 200, data: TopupView },
    errors: ['TOPUP_NOT_FOUND'],
  }),
  refreshTopup: endpoint('refreshTopup', 'POST', '/topups/{id}/refresh', {
    scope: 'write',
    operators: ANY_ACTING,
    idempotent: true,
    summary: 'Refresh a top-up from the payment provider',
    params: topup,
    body: optionalBody({}),
    success: { status: 200, data: TopupView },
    errors: ['TOPUP_NOT_FOUND', 'PROVIDER_TIMEOUT', 'MARKETPLACE_FROZEN'],
    emits: outcomes,
  }),
  cancelTopup: endpoint('cancelTopup', 'POST', '/topups/{id}/cancel', {
    scope: 'write',
    operators: ANY_ACTING,
    idempotent: true,
    summary: 'Cancel a top-up that is not confirmed yet',
    params: topup,
    body: optionalBody({ reason: Type.Optional(optionalText(LENGTHS.reason)) }),
    success: { status: 200, data: TopupView },
    errors: ['TOPUP_NOT_FOUND', 'INVALID_STATE', 'PROVIDER_TIMEOUT', 'ENGINE_UNAVAILABLE'],
    emits: ['topup.canceled'],
  }),
  topupCallback: endpoint('topupCallback', 'GET', '/topups/{id}/callback', {
    scope: 'public',
    summary:
      'Redirect the user from the payment page to returnUrl or cancelUrl, and refresh the top-up soon',
    params: topup,
    success: { status: 302, data: Type.Null() },
    errors: ['TOPUP_NOT_FOUND'],
    rawResponse: 'redirect',
  }),
};
