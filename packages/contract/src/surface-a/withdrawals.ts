//! Withdrawals: money that goes out, through the payment provider or over the network.

import { Type } from 'typebox';
import { endpoint, ownEndpoint } from '#endpoint';
import { DESTINATION_TYPES } from '#enums';
import { DEBT_REPAYMENT } from '#events';
import {
  amountInput,
  closed,
  createdBetween,
  currency,
  id,
  listQuery,
  oneOf,
  optionalBody,
  optionalText,
  text,
} from '#fields';
import { LENGTHS } from '#limits';
import { statesOf } from '#machine';
import { withdrawalMachine } from '#machines/withdrawal-machine';
import { WithdrawalView } from '#records/payment-records';
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
    emits: [...DEBT_REPAYMENT, 'balance.reserved', 'withdrawal.created'],
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
      'DESTINATION_COOLING',
      'LIMIT_REACHED',
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
    emits: [...outcomes, 'withdrawal.returned', 'balance.credited', 'user.debt_repaid'],
  }),
};

/** Beyond the specification. */
export const withdrawalCareEndpoints = {
  cancelWithdrawal: ownEndpoint('cancelWithdrawal', 'POST', '/withdrawals/{id}/cancel', {
    scope: 'write',
    operators: FINANCE,
    idempotent: true,
    summary:
      'Cancel a withdrawal that is not confirmed yet, or whose payout the provider can still cancel',
    params: withdrawal,
    body: optionalBody({ reason: Type.Optional(optionalText(LENGTHS.reason)) }),
    success: { status: 200, data: WithdrawalView },
    errors: [
      'WITHDRAWAL_NOT_FOUND',
      'INVALID_STATE',
      'PROVIDER_TIMEOUT',
      'ENGINE_UNAVAILABLE',
      'MARKETPLACE_FROZEN',
    ],
    emits: ['balance.released', 'withdrawal.canceled'],
  }),
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
