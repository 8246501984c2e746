//! Gets a reconciliation run: GET /reconciliation/runs/{id}.
import { refuse } from '@holdfast/contract/errors';
import type { RunId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { findRun, type Run } from './run.ts';

export async function getReconciliationRun(app: Transactor, call: Call, id: RunId): Promise<Run> {
  const found = await read(app, call, (tx) => findRun(tx, id));
  return found ?? refuse('RUN_NOT_FOUND', { runId: id });
}
