//! Balances: available, reserved, and how they compare with the network.

import { Type } from 'typebox';
import { endpoint } from '#endpoint';
import { DEBT_REPAYMENT } from '#events';
import { amountInput, closed, currency, id, optionalBody, optionalText, text } from '#fields';
import { LENGTHS } from '#limits';
import { BalanceSyncResultView, BalanceVerificationView, BalanceView } from '#records';
import { FINANCE } from '#roles';

const user = closed({ userId: id('usr') });
const whichBalance = closed({ currency: Type.Optional(currency()) });

const adjustment = closed({
  amount: amountInput(),
  currency: Type.Optional(currency()),
  reference: Type.Optional(text(LENGTHS.reference)),
  description: Type.Optional(optionalText(LENGTHS.description)),
});

const hold = closed({
  amount: amountInput(),
  orderId: Type.Optional(id('ord')),
  currency: Type.Optional(currency()),
  reason: Type.Optional(optionalText(LENGTHS.reason)),
});

const balance = { status: 200, data: BalanceView } as const;

export const balanceEndpoints = {
  getBalance: endpoint('getBalance', 'GET', '/users/{userId}/balance', {
    scope: 'read',
    summary: 'Get a balance, in the base currency by default',
    params: user,
    query: whichBalance,
    success: balance,
    errors: ['USER_NOT_FOUND'],
  }),
  creditBalance: endpoint('creditBalance', 'POST', '/users/{userId}/balance/credit', {
    scope: 'write',
    operators: FINANCE,
    secondApprover: 'always',
    idempotent: true,
    summary: 'Credit the available balance from the adjustment account of the marketplace',
    params: user,
    body: adjustment,
    success: balance,
    errors: [
      'INVALID_AMOUNT',
      'USER_NOT_FOUND',
      'REFERENCE_REUSED',
      'ADJUSTMENT_LIMIT',
      'MARKETPLACE_FROZEN',
    ],
    emits: ['balance.credited'],
  }),
  debitBalance: endpoint('debitBalance', 'POST', '/users/{userId}/balance/debit', {
    scope: 'write',
    operators: FINANCE,
    secondApprover: 'always',
    idempotent: true,
    summary: 'Debit the available balance to the adjustment account of the marketplace',
    params: user,
    body: adjustment,
    success: balance,
    errors: [
      'INVALID_AMOUNT',
      'USER_NOT_FOUND',
      'REFERENCE_REUSED',
      'INSUFFICIENT_FUNDS',
      'ADJUSTMENT_LIMIT',
      'MARKETPLACE_FROZEN',
    ],
    emits: ['balance.debited'],
  }),
  reserveBalance: endpoint('reserveBalance', 'POST', '/users/{userId}/balance/reserve', {
    scope: 'write',
    idempotent: true,
    summary: 'Create a manual reservation; an order id is only a tag',
    params: user,
    body: hold,
    success: balance,
    errors: ['USER_NOT_FOUND', 'ORDER_NOT_FOUND', 'INSUFFICIENT_FUNDS', 'MARKETPLACE_FROZEN'],
    emits: ['balance.reserved'],
  }),
  releaseBalance: endpoint('releaseBalance', 'POST', '/users/{userId}/balance/release', {
    scope: 'write',
    idempotent: true,
    summary: 'Release a manual reservation',
    params: user,
    body: hold,
    success: balance,
    errors: ['USER_NOT_FOUND', 'ORDER_NOT_FOUND', 'RESERVATION_EXCEEDED', 'MARKETPLACE_FROZEN'],
    emits: ['balance.released'],
  }),
  cancelReservation: endpoint(
    'cancelReservation',
    'POST',
    '/users/{userId}/balance/cancel-reservation',
    {
      scope: 'write',
      idempotent: true,
      summary: 'Release all manual reservations tagged with an order',
      params: user,
      body: closed({
        orderId: id('ord'),
        reason: Type.Optional(optionalText(LENGTHS.reason)),
      }),
      success: balance,
      errors: ['USER_NOT_FOUND', 'RESERVATION_NOT_FOUND', 'MARKETPLACE_FROZEN'],
      emits: ['balance.released'],
    },
  ),
  deductReserved: endpoint('deductReserved', 'POST', '/users/{userId}/balance/deduct-reserved', {
    scope: 'write',
    idempotent: true,
    summary: 'Deduct money from a manual reservation',
    params: user,
    body: hold,
    success: balance,
    errors: [
      'USER_NOT_FOUND',
      'ORDER_NOT_FOUND',
      'INVALID_RESERVED_DEDUCTION',
      'MARKETPLACE_FROZEN',
    ],
    emits: ['balance.debited'],
  }),
  syncBalance: endpoint('syncBalance', 'POST', '/users/{userId}/balance/sync', {
    scope: 'write',
    operators: FINANCE,
    idempotent: true,
    summary: 'Sync the books with the network; a difference is posted to suspense',
    params: user,
    query: whichBalance,
    body: optionalBody({}),
    success: { status: 200, data: BalanceSyncResultView },
    errors: ['USER_NOT_FOUND', 'PROVIDER_TIMEOUT', 'MARKETPLACE_FROZEN'],
    emits: ['balance.credited', ...DEBT_REPAYMENT],
  }),
  verifyBalance: endpoint('verifyBalance', 'GET', '/users/{userId}/balance/verify', {
    scope: 'read',
    summary: 'Compare the books with the network; changes nothing',
    params: user,
    query: whichBalance,
    success: { status: 200, data: BalanceVerificationView },
    errors: ['USER_NOT_FOUND', 'VERIFICATION_FAILED'],
  }),
};
