//! Statements for finance: each sums exactly, or is refused.
import { Type } from 'typebox';
import { ownEndpoint } from '#endpoint';
import { STATEMENT_FORMATS } from '#enums';
import { closed, currency, id, instantInput, oneOf } from '#fields';
import { StatementView } from '#records/statement-records';

const format = { format: Type.Optional(oneOf(STATEMENT_FORMATS)) };
const period = {
  currency: Type.Optional(currency()),
  from: Type.Optional(instantInput()),
  to: Type.Optional(instantInput()),
  ...format,
};
const refusals = ['STATEMENT_UNBALANCED', 'STATEMENT_TOO_LONG'] as const;
const success = { status: 200, data: StatementView } as const;

export const statementEndpoints = {
  getUserStatement: ownEndpoint('getUserStatement', 'GET', '/users/{userId}/statement', {
    scope: 'read',
    summary:
      'Get the statement of a user: each balance change in a period, with the balance after it',
    params: closed({ userId: id('usr') }),
    query: closed(period),
    success,
    alsoCsv: true,
    errors: ['USER_NOT_FOUND', ...refusals],
  }),
  getWithdrawalStatement: ownEndpoint(
    'getWithdrawalStatement',
    'GET',
    '/withdrawals/{id}/statement',
    {
      scope: 'read',
      summary: 'Get the statement of a withdrawal: reserved, paid out or returned',
      params: closed({ id: id('wd') }),
      query: closed(format),
      success,
      alsoCsv: true,
      errors: ['WITHDRAWAL_NOT_FOUND', 'STATEMENT_UNBALANCED'],
    },
  ),
  getFeeReport: ownEndpoint('getFeeReport', 'GET', '/reports/fees', {
    scope: 'read',
    summary: 'Get the fees of a period, with the running total',
    query: closed(period),
    success,
    alsoCsv: true,
    errors: refusals,
  }),
};
