//! Routes of reconciliation runs, their exceptions, and solvency.
import { surfaceA } from '@holdfast/contract/surface-a';
import type { App } from '../../app/wire.ts';
import { createReconciliationRun } from '../../assurance/reconciliation/create-reconciliation-run.ts';
import {
  getException,
  getReconciliationRun,
  listExceptions,
  listReconciliationRuns,
} from '../../assurance/reconciliation/read-reconciliation.ts';
import { resolveException } from '../../assurance/reconciliation/resolve-exception.ts';
import { getSolvency } from '../../assurance/solvency/get-solvency.ts';
import { getSolvencyHistory } from '../../assurance/solvency/get-solvency-history.ts';
import { pausePayouts } from '../../assurance/solvency/pause-payouts.ts';
import { recordCapital } from '../../assurance/solvency/record-capital.ts';
import { resumePayouts } from '../../assurance/solvency/resume-payouts.ts';
import type { Surface } from '../http/serve.ts';
import {
  capitalView,
  exceptionView,
  runView,
  solvencyHistoryView,
  solvencyView,
} from './views/reconciliation.view.ts';

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
  surface.serve(surfaceA.pausePayouts, {
    run: (call, { body }) => pausePayouts(app, call, body),
    respond: (solvency) => ({ data: solvencyView(solvency) }),
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
