//! Reads reconciliation runs, and the exceptions that they found.
import { refuse } from '@holdfast/contract/errors';
import type { ExceptionId, RunId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { type Page, type PageQuery, pageOf } from '../../platform/database/page.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import {
  type Exception,
  type ExceptionFilter,
  findException,
  listExceptionRows,
} from './exception.ts';
import { findRun, listRunRows, type Run, type RunFilter } from './run.ts';

/** GET /reconciliation/runs/{id}. */
export async function getReconciliationRun(app: Transactor, call: Call, id: RunId): Promise<Run> {
  const found = await read(app, call, (tx) => findRun(tx, id));
  return found ?? refuse('RUN_NOT_FOUND', { runId: id });
}

/** GET /reconciliation/runs: newest first. */
export async function listReconciliationRuns(
  app: Transactor,
  call: Call,
  query: PageQuery & RunFilter,
): Promise<Page<Run>> {
  return read(app, call, async (tx) =>
    pageOf(query, (after, count) => listRunRows(tx, query, after, count)),
  );
}

/** GET /reconciliation/exceptions/{id}. */
export async function getException(
  app: Transactor,
  call: Call,
  id: ExceptionId,
): Promise<Exception> {
  const found = await read(app, call, (tx) => findException(tx, id));
  return found ?? refuse('EXCEPTION_NOT_FOUND', { exceptionId: id });
}

/** GET /reconciliation/exceptions: newest first. */
export async function listExceptions(
  app: Transactor,
  call: Call,
  query: PageQuery & ExceptionFilter,
): Promise<Page<Exception>> {
  return read(app, call, async (tx) =>
    pageOf(query, (after, count) => listExceptionRows(tx, query, after, count)),
  );
}
