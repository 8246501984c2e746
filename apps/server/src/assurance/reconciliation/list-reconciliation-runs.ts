//! Lists reconciliation runs, newest first: GET /reconciliation/runs.
import type { Call } from '../../platform/call.ts';
import { type Page, type PageQuery, pageOf } from '../../platform/database/page.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { listRunRows, type Run, type RunFilter } from './run.ts';

export async function listReconciliationRuns(
  app: Transactor,
  call: Call,
  query: PageQuery & RunFilter,
): Promise<Page<Run>> {
  return read(app, call, async (tx) =>
    pageOf(query, (after, count) => listRunRows(tx, query, after, count)),
  );
}
