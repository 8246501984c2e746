//! Withdrawals: money that goes out, through the payment provider or over the network.

import { Type } from 'typebox';
import { endpoint, ownEndpoint } from '#endpoint';
import { DESTINATION_TYPES } from '#enums';
import {
  amountInput,
  closed,
  createdBetween,
  currency,
  id,
  listQuery,
  oneOf,
  optionalBody,
  text,
} from '#fields';
import { LENGTHS } from '#limits';
import { statesOf } from '#machine';
import { withdrawalMachine } from '#machines/withdrawal-machine';
import { WithdrawalView } from '#records';
import { ANY_ACTING, FINANCE } from '#roles';

const withdrawal = closed({ id: id('wd') });

/** The possible results of polling the provider. */
const outcomes = [
  'withdrawal.pending',
  'withdrawal.pending_user_action',
  'withdrawal.completed',
  'withdrawal.failed',
  'withdrawal.canceled',
  'balance.released',
  'balance.debited',
] as const;

export const withdrawalEndpoints = {
  createWithdrawal: endpoint('createWithdrawal', 'POST', '/withdrawals', {
    scope: 'write',
    idempotent: true,
    summary: 'Create a withdrawal; its amount is reserved until it ends',
    body: closed({
      userId: id('usr'),
      amount: amountInput(),
      currency: currency(),
      destination: closed({
        type: oneOf(DESTINATION_TYPES),
        ref: text(LENGTHS.destination),
        memo: Type.Optional(text(LENGTHS.memo)),
      }),
    }),
    success: { status: 201, data: WithdrawalView },
    errors: [
      'USER_NOT_FOUND',
      'USER_NOT_ACTIVE',
      'INSUFFICIENT_FUNDS',
      'AMOUNT_OUT_OF_RANGE',
      'CURRENCY_NOT_SUPPORTED',
      'DESTINATION_NOT_SUPPORTED',
      'DESTINATION_INVALID',
      'PAYMENT_ACCOUNT_INVALID',
      'PROVIDER_TIMEOUT',
      'PAYOUTS_PAUSED',
      'MARKETPLACE_FROZEN',
    ],
    emits: ['balance.reserved', 'withdrawal.created'],
  }),
  listWithdrawals: endpoint('listWithdrawals', 'GET', '/withdrawals', {
    scope: 'read',
    summary: 'List withdrawals, newest first',
    query: listQuery('wd', {
      status: Type.Optional(oneOf(statesOf(withdrawalMachine))),
      userId: Type.Optional(id('usr')),
      ...createdBetween,
    }),
    success: { status: 200, data: WithdrawalView, list: true },
  }),
  getWithdrawal: endpoint('getWithdrawal', 'GET', '/withdrawals/{id}', {
    scope: 'read',
    summary: 'Get a withdrawal',
    params: withdrawal,
    success: { status: 200, data: WithdrawalView },
    errors: ['WITHDRAWAL_NOT_FOUND'],
  }),
  commitWithdrawal: endpoint('commitWithdrawal', 'POST', '/withdrawals/{id}/commit', {
    scope: 'write',
    operators: FINANCE,
    secondApprover: 'above-limit',
    idempotent: true,
    summary: 'Confirm a withdrawal and send the payout',
    params: withdrawal,
    body: optionalBody({}),
    success: { status: 200, data: WithdrawalView },
    errors: [
      'WITHDRAWAL_NOT_FOUND',
      'INVALID_STATE',
      'USER_NOT_ACTIVE',
      'PROVIDER_TIMEOUT',
      'ENGINE_UNAVAILABLE',
      'PAYOUTS_PAUSED',
      'MARKETPLACE_FROZEN',
    ],
    emits: ['withdrawal.committed', ...outcomes],
  }),
  refreshWithdrawal: endpoint('refreshWithdrawal', 'POST', '/withdrawals/{id}/refresh', {
    scope: 'write',
    operators: ANY_ACTING,
    idempotent: true,
    summary:
      'Refresh a withdrawal from the payment provider; one paid over the network is returned as it is',
    params: withdrawal,
    body: optionalBody({}),
    success: { status: 200, data: WithdrawalView },
    errors: ['WITHDRAWAL_NOT_FOUND', 'PROVIDER_TIMEOUT', 'MARKETPLACE_FROZEN'],
    emits: outcomes,
  }),
};

/** Beyond the specification. */
export const withdrawalCareEndpoints = {
  revealWithdrawal: ownEndpoint('revealWithdrawal', 'POST', '/withdrawals/{id}/reveal', {
    scope: 'support',
    operators: ANY_ACTING,
    summary: 'Get the unmasked recipient of a withdrawal; the access and its reason are audited',
    params: withdrawal,
    body: closed({ reason: text(LENGTHS.reason) }),
    success: { status: 200, data: WithdrawalView },
    errors: ['WITHDRAWAL_NOT_FOUND'],
  }),
};
