//! Routes of the ledger explorer.
import { surfaceA } from '@holdfast/contract/surface-a';
import { getAccount } from '../explorer/get-account.ts';
import { getChart } from '../explorer/get-chart.ts';
import { getEntry } from '../explorer/get-entry.ts';
import { listAccounts } from '../explorer/list-accounts.ts';
import { listBookEntries } from '../explorer/list-book-entries.ts';
import { listEntriesOfAccount } from '../explorer/list-entries-of-account.ts';
import type { Surface } from '../http/serve.ts';
import type { App } from '../wire.ts';
import {
  ledgerAccountView,
  ledgerChartView,
  ledgerEntryDetailView,
  ledgerEntryView,
} from './ledger.view.ts';

export function ledgerRoutes(surface: Surface, app: App): void {
  surface.serve(surfaceA.getLedgerChart, {
    run: (call) => getChart(app, call),
    respond: (chart) => ({ data: ledgerChartView(chart) }),
  });
  surface.serveList(surfaceA.listLedgerAccounts, {
    run: (call, { query }) => listAccounts(app, call, query),
    item: ledgerAccountView,
  });
  surface.serve(surfaceA.getLedgerAccount, {
    run: (call, { params, query }) => getAccount(app, call, params.id, query),
    respond: (found) => ({ data: ledgerAccountView(found) }),
  });
  surface.serveList(surfaceA.listLedgerAccountEntries, {
    run: (call, { params, query }) => listEntriesOfAccount(app, call, params.id, query),
    item: ledgerEntryView,
  });
  surface.serveList(surfaceA.listLedgerEntries, {
    run: (call, { query }) => listBookEntries(app, call, query),
    item: ledgerEntryView,
  });
  surface.serve(surfaceA.getLedgerEntry, {
    run: (call, { params }) => getEntry(app, call, params.id),
    respond: (entry) => ({ data: ledgerEntryDetailView(entry) }),
  });
}
