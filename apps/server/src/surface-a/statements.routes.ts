//! Routes of statements: of a user, of a withdrawal, of fees.
import { surfaceA } from '@holdfast/contract/surface-a';
import type { Surface } from '../http/serve.ts';
import { getFeeReport } from '../statements/get-fee-report.ts';
import { getUserStatement } from '../statements/get-user-statement.ts';
import { getWithdrawalStatement } from '../statements/get-withdrawal-statement.ts';
import type { App } from '../wire.ts';
import { statementCsv, statementJson } from './statement.view.ts';

const views = { json: statementJson, csv: statementCsv };

export function statementRoutes(surface: Surface, app: App): void {
  surface.serveDocument(surfaceA.getUserStatement, {
    ...views,
    run: (call, { params, query }) => getUserStatement(app, call, params.userId, query),
  });
  surface.serveDocument(surfaceA.getWithdrawalStatement, {
    ...views,
    run: (call, { params }) => getWithdrawalStatement(app, call, params.id),
  });
  surface.serveDocument(surfaceA.getFeeReport, {
    ...views,
    run: (call, { query }) => getFeeReport(app, call, query),
  });
}
