//! Routes of the ledger explorer.
import { surfaceA } from '@holdfast/contract/surface-a';
import type { App } from '../../app/wire.ts';
import {
  getAccount,
  getChart,
  getEntry,
  listAccounts,
  listBookEntries,
  listEntriesOfAccount,
} from '../../assurance/ledger/read-ledger.ts';
import type { Surface } from '../http/serve.ts';
import {
  ledgerAccountView,
  ledgerChartView,
  ledgerEntryDetailView,
  ledgerEntryView,
} from './views/ledger.view.ts';

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
