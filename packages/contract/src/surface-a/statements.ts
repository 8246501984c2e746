//! Statements for finance: each sums exactly, or is refused.
import { Type } from 'typebox';
import { endpoint } from '#endpoint';
import { closed, currency, id, instantInput, oneOf } from '#fields';
import { StatementView } from '#statement-records';
import { STATEMENT_FORMATS } from '#words';

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
  getUserStatement: endpoint('getUserStatement', 'GET', '/users/{userId}/statement', {
    scope: 'read',
    origin: 'ours',
    summary: "List every change of a user's balance in a period, with the balance after each",
    params: closed({ userId: id('usr') }),
    query: closed(period),
    success,
    alsoCsv: true,
    errors: ['USER_NOT_FOUND', ...refusals],
  }),
  getWithdrawalStatement: endpoint('getWithdrawalStatement', 'GET', '/withdrawals/{id}/statement', {
    scope: 'read',
    origin: 'ours',
    summary: 'List what a withdrawal did to the balance: held, paid out or given back',
    params: closed({ id: id('wd') }),
    query: closed(format),
    success,
    alsoCsv: true,
    errors: ['WITHDRAWAL_NOT_FOUND', 'STATEMENT_UNBALANCED'],
  }),
  getFeeReport: endpoint('getFeeReport', 'GET', '/reports/fees', {
    scope: 'read',
    origin: 'ours',
    summary: 'List every fee that was taken in a period, with the sum after each',
    query: closed(period),
    success,
    alsoCsv: true,
    errors: refusals,
  }),
};
