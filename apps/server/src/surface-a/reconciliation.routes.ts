//! Routes of reconciliation runs, their exceptions, and solvency.
import { surfaceA } from '@holdfast/contract/surface-a';
import type { Surface } from '../http/serve.ts';
import { createReconciliationRun } from '../reconciliation/create-reconciliation-run.ts';
import { getException } from '../reconciliation/get-exception.ts';
import { getReconciliationRun } from '../reconciliation/get-reconciliation-run.ts';
import { getSolvency } from '../reconciliation/get-solvency.ts';
import { getSolvencyHistory } from '../reconciliation/get-solvency-history.ts';
import { listExceptions } from '../reconciliation/list-exceptions.ts';
import { listReconciliationRuns } from '../reconciliation/list-reconciliation-runs.ts';
import { recordCapital } from '../reconciliation/record-capital.ts';
import { resolveException } from '../reconciliation/resolve-exception.ts';
import { resumePayouts } from '../reconciliation/resume-payouts.ts';
import type { App } from '../wire.ts';
import {
  capitalView,
  exceptionView,
  runView,
  solvencyHistoryView,
  solvencyView,
} from './reconciliation.view.ts';

export function reconciliationRoutes(surface: Surface, app: App): void {
  surface.serve(surfaceA.createReconciliationRun, {
    run: (call, { body }) => createReconciliationRun(app, call, body ?? {}),
    respond: (run) => ({ data: runView(run) }),
  });
  surface.serveList(surfaceA.listReconciliationRuns, {
    run: (call, { query }) => listReconciliationRuns(app, call, query),
    item: runView,
  });
  surface.serve(surfaceA.getReconciliationRun, {
    run: (call, { params }) => getReconciliationRun(app, call, params.id),
    respond: (run) => ({ data: runView(run) }),
  });
  surface.serveList(surfaceA.listExceptions, {
    run: (call, { query }) => listExceptions(app, call, query),
    item: exceptionView,
  });
  surface.serve(surfaceA.getException, {
    run: (call, { params }) => getException(app, call, params.id),
    respond: (exception) => ({ data: exceptionView(exception) }),
  });
  surface.serve(surfaceA.resolveException, {
    run: (call, { params, body }) => resolveException(app, call, params.id, body),
    respond: (exception) => ({ data: exceptionView(exception) }),
  });
  surface.serve(surfaceA.getSolvency, {
    run: (call) => getSolvency(app, call),
    respond: (solvency) => ({ data: solvencyView(solvency) }),
  });
  surface.serve(surfaceA.getSolvencyHistory, {
    run: (call, { query }) => getSolvencyHistory(app, call, query),
    respond: (history) => ({ data: solvencyHistoryView(history) }),
  });
  surface.serve(surfaceA.resumePayouts, {
    run: (call, { body }) => resumePayouts(app, call, body),
    respond: (solvency) => ({ data: solvencyView(solvency) }),
  });
  surface.serve(surfaceA.recordCapital, {
    run: (call, { body }) => recordCapital(app, call, body),
    respond: (capital) => ({ data: capitalView(capital) }),
  });
}
