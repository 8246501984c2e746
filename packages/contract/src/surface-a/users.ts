//! Users and their accounts at the payment provider.
import { Type } from 'typebox';
import { endpoint } from '#endpoint';
import { DEPOSIT_CURRENCIES, USER_STATUSES, USER_TYPES } from '#enums';
import { closed, createdBetween, email, id, listQuery, oneOf, optionalBody, text } from '#fields';
import { LENGTHS } from '#limits';
import { UserView } from '#records';

const user = closed({ id: id('usr') });

export const userEndpoints = {
  createUser: endpoint('createUser', 'POST', '/users', {
    scope: 'write',
    idempotent: true,
    summary: 'Create a user; the same data again returns 200 with the same user',
    body: closed({
      externalUserId: text(LENGTHS.reference),
      email: Type.Optional(email()),
      type: Type.Optional(oneOf(USER_TYPES)),
      depositCurrency: Type.Optional(oneOf(DEPOSIT_CURRENCIES)),
    }),
    success: { status: 201, also: 200, data: UserView },
    errors: ['USER_ALREADY_EXISTS'],
    emits: ['user.created', 'user.ledger_linked'],
  }),
  listUsers: endpoint('listUsers', 'GET', '/users', {
    scope: 'read',
    summary: 'List users, newest first',
    query: listQuery('usr', {
      status: Type.Optional(oneOf(USER_STATUSES)),
      /** The whole address; case does not matter. */
      email: Type.Optional(email()),
      externalUserId: Type.Optional(text(LENGTHS.reference)),
      ...createdBetween,
    }),
    success: { status: 200, data: UserView, list: true },
  }),
  getUser: endpoint('getUser', 'GET', '/users/{id}', {
    scope: 'read',
    summary: 'Get a user',
    params: user,
    success: { status: 200, data: UserView },
    errors: ['USER_NOT_FOUND'],
  }),
  linkPaymentAccount: endpoint('linkPaymentAccount', 'POST', '/users/{id}/payment-account/link', {
    scope: 'write',
    idempotent: true,
    summary: "Link the user's account at the payment provider, found by email",
    params: user,
    body: optionalBody({ email: Type.Optional(email()) }),
    success: { status: 200, data: UserView },
    errors: [
      'USER_NOT_FOUND',
      'PAYMENT_ACCOUNT_INVALID',
      'PAYMENT_ACCOUNT_TAKEN',
      'PROVIDER_TIMEOUT',
    ],
    emits: ['user.payment_account_linked'],
  }),
};
