//! Actions on a user: freeze, unfreeze, reset a password, reveal personal data, write off a debt.
import { Type } from 'typebox';
import { ownEndpoint } from '#endpoint';
import { amountInput, closed, currency, id, text } from '#fields';
import { LENGTHS } from '#limits';
import { PasswordResetView, UserView } from '#records';
import { DebtView } from '#records/payment-records';
import { ANY_ACTING, EVERY_ROLE, FINANCE } from '#roles';

const user = closed({ id: id('usr') });
const reason = closed({ reason: text(LENGTHS.reason) });

export const operatorUserEndpoints = {
  freezeUser: ownEndpoint('freezeUser', 'POST', '/users/{id}/freeze', {
    scope: 'support',
    operators: ANY_ACTING,
    idempotent: true,
    summary:
      'Freeze a user (status SUSPENDED): no new orders, escrows, top-ups or withdrawals, and no payout of unconfirmed withdrawals; orders in escrow continue',
    params: user,
    body: reason,
    success: { status: 200, data: UserView },
    errors: ['USER_NOT_FOUND', 'INVALID_STATE'],
  }),
  unfreezeUser: ownEndpoint('unfreezeUser', 'POST', '/users/{id}/unfreeze', {
    scope: 'support',
    operators: ANY_ACTING,
    idempotent: true,
    summary: 'Unfreeze a user (status ACTIVE)',
    params: user,
    body: reason,
    success: { status: 200, data: UserView },
    errors: ['USER_NOT_FOUND', 'INVALID_STATE'],
  }),
  createPasswordReset: ownEndpoint('createPasswordReset', 'POST', '/users/{id}/password-reset', {
    scope: 'write',
    idempotent: true,
    summary:
      'Issue a token with which a member can set a new password within an hour, once; send it to the member yourself',
    params: user,
    bodyRead: 'none',
    success: { status: 200, data: PasswordResetView },
    errors: ['USER_NOT_FOUND'],
  }),
  listDebts: ownEndpoint('listDebts', 'GET', '/users/{id}/debts', {
    scope: 'read',
    operators: EVERY_ROLE,
    summary: 'Get what a user owes, by currency',
    params: user,
    success: { status: 200, data: Type.Array(DebtView) },
    errors: ['USER_NOT_FOUND'],
  }),
  writeOffDebt: ownEndpoint('writeOffDebt', 'POST', '/users/{id}/debts/write-off', {
    scope: 'support',
    operators: FINANCE,
    secondApprover: 'always',
    idempotent: true,
    summary:
      'Write off what a user owes, in part or whole; the marketplace bears it. An operator needs a second approver',
    params: user,
    body: closed({
      amount: amountInput(),
      currency: currency(),
      reason: text(LENGTHS.reason),
    }),
    success: { status: 200, data: DebtView },
    errors: ['USER_NOT_FOUND', 'INVALID_STATE', 'MARKETPLACE_FROZEN'],
    emits: ['user.debt_written_off'],
  }),
  revealUser: ownEndpoint('revealUser', 'POST', '/users/{id}/reveal', {
    scope: 'support',
    operators: ANY_ACTING,
    summary: 'Get the unmasked personal data of a user; the access and its reason are audited',
    params: user,
    body: reason,
    success: { status: 200, data: UserView },
    errors: ['USER_NOT_FOUND'],
  }),
};
