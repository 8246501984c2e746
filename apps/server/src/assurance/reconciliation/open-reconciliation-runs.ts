//! Starts a run for every marketplace whose last one is old enough: a background job.
import { Refusal } from '@holdfast/contract/errors';
import { systemCall } from '../../platform/call.ts';
import { createReconciliationRun, type RunStarter } from './create-reconciliation-run.ts';
import { listUncompared } from './run.ts';

const AT_ONCE_MAX = 20;

/**
 * Any number of workers may run it: a marketplace has one run at a time, and the second is refused.
 */
export async function openReconciliationRuns(app: RunStarter): Promise<number> {
  const { HOLDFAST_RECONCILIATION_MINUTES: minutes } = app.config;
  if (minutes === 'off') return 0;
  const since = app.clock.now() - minutes * 60_000;
  let opened = 0;
  for (const marketplace of await listUncompared(app.pool, since, AT_ONCE_MAX)) {
    try {
      await createReconciliationRun(app, systemCall(marketplace), {});
      opened += 1;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }
  return opened;
}
