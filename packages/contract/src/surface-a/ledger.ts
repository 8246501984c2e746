//! The ledger explorer: the chart of accounts, their entries, and their balances at a time.
import { Type } from 'typebox';
import { ownEndpoint } from '#endpoint';
import { LEDGER_ACCOUNT_KINDS } from '#enums';
import { closed, createdBetween, currency, instantInput, oneOf, pageLimit, text } from '#fields';
import { LENGTHS } from '#limits';
import {
  LedgerAccountView,
  LedgerChartView,
  LedgerEntryDetailView,
  LedgerEntryView,
  ledgerAccountId,
  ledgerEntryId,
} from '#records/ledger-records';

const account = closed({ id: ledgerAccountId() });
const entryPage = {
  limit: Type.Optional(pageLimit()),
  cursor: Type.Optional(
    Type.String({ pattern: '^[1-9]\\d{0,18}$', description: 'nextCursor of the previous page.' }),
  ),
};

export const ledgerEndpoints = {
  getLedgerChart: ownEndpoint('getLedgerChart', 'GET', '/ledger/chart', {
    scope: 'read',
    summary: 'Get the total of each account kind per currency; all totals add up to zero',
    success: { status: 200, data: LedgerChartView },
  }),
  listLedgerAccounts: ownEndpoint('listLedgerAccounts', 'GET', '/ledger/accounts', {
    scope: 'read',
    summary: 'List accounts by kind, owner and currency',
    query: closed({
      limit: Type.Optional(pageLimit()),
      cursor: Type.Optional(ledgerAccountId()),
      kind: Type.Optional(oneOf(LEDGER_ACCOUNT_KINDS)),
      /** A user, or an order. */
      ownerId: Type.Optional(text(LENGTHS.name)),
      currency: Type.Optional(currency()),
    }),
    success: { status: 200, data: LedgerAccountView, list: true },
  }),
  getLedgerAccount: ownEndpoint('getLedgerAccount', 'GET', '/ledger/accounts/{id}', {
    scope: 'read',
    summary: 'Get an account with its balance, current or at a given time',
    params: account,
    query: closed({ at: Type.Optional(instantInput()) }),
    success: { status: 200, data: LedgerAccountView },
    errors: ['ACCOUNT_NOT_FOUND'],
  }),
  listLedgerAccountEntries: ownEndpoint(
    'listLedgerAccountEntries',
    'GET',
    '/ledger/accounts/{id}/entries',
    {
      scope: 'read',
      summary: 'List the entries of an account, newest first',
      params: account,
      query: closed(entryPage),
      success: { status: 200, data: LedgerEntryView, list: true },
      errors: ['ACCOUNT_NOT_FOUND'],
    },
  ),
  listLedgerEntries: ownEndpoint('listLedgerEntries', 'GET', '/ledger/entries', {
    scope: 'read',
    summary: 'List entries, newest first; with subjectId those of one order, withdrawal or top-up',
    query: closed({
      ...entryPage,
      subjectId: Type.Optional(text(LENGTHS.name)),
      ...createdBetween,
    }),
    success: { status: 200, data: LedgerEntryView, list: true },
  }),
  getLedgerEntry: ownEndpoint('getLedgerEntry', 'GET', '/ledger/entries/{id}', {
    scope: 'read',
    summary: 'Get an entry with both sides and its related entries',
    params: closed({ id: ledgerEntryId() }),
    success: { status: 200, data: LedgerEntryDetailView },
    errors: ['ENTRY_NOT_FOUND'],
  }),
};
