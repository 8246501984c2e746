//! Routes of statements: of a user, of a withdrawal, of fees.
import { surfaceA } from '@holdfast/contract/surface-a';
import type { App } from '../../app/wire.ts';
import { getFeeReport } from '../../assurance/statements/get-fee-report.ts';
import { getUserStatement } from '../../assurance/statements/get-user-statement.ts';
import { getWithdrawalStatement } from '../../assurance/statements/get-withdrawal-statement.ts';
import type { Surface } from '../http/serve.ts';
import { statementCsv, statementJson } from './views/statement.view.ts';

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
