//! Starts a reconciliation run: POST /reconciliation/runs. It continues in the background; its
//! record shows the progress.
import { newId } from '@holdfast/kernel/ids';
import type { Requester } from '../../engine/execute-request.ts';
import { type Operation, openOperation } from '../../engine/operation.ts';
import type { Call } from '../../platform/call.ts';
import type { Config } from '../../platform/config/config.ts';
import type { RowNumber } from '../../platform/database/database.ts';
import { type Tx, transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import type { Compared } from '../comparison/finding.ts';
import { findHouseMarketplace } from '../solvency/house-marketplace.ts';
import { RECONCILE } from './reconcile-books.ts';
import { insertRun, type Run } from './run.ts';
import type { ReconcilePlan } from './run-plan.ts';

export interface RunStarter extends Requester {
  readonly config: Config;
}

export interface RunInput {
  readonly providers?: readonly Compared[];
}

const DAY_MS = 86_400_000;
const ALL: readonly Compared[] = ['payment_provider', 'ledger_network'];

/**
 * The caller does not wait for the run: a marketplace may have too many records for one request.
 */
export async function createReconciliationRun(
  app: RunStarter,
  call: Call,
  { providers = ALL }: RunInput,
): Promise<Run> {
  // Thrown only after the idempotency key is checked: a repeat needs no engine.
  const down = await app.engine.checkUp().then(
    () => undefined,
    (error: unknown) => error as Error,
  );
  const house = await findHouseMarketplace(app.pool, app.config);
  let started: Operation | undefined;
  const run = await transact(app, call, async (tx) => {
    if (down !== undefined) throw down;
    const [created, operation] = await start(
      tx,
      app.config,
      ALL.filter((each) => providers.includes(each)),
      house,
    );
    started = operation;
    return created;
  });
  if (started !== undefined) await submit(app, started);
  return run;
}

async function start(
  tx: Tx,
  config: Config,
  providers: readonly Compared[],
  house: RowNumber | null,
): Promise<[Run, Operation]> {
  const runId = newId('rec', tx.now);
  const windowFrom = tx.now - config.HOLDFAST_RECONCILIATION_DAYS * DAY_MS;
  const isHouse = house === tx.marketplace;
  const plan: ReconcilePlan = { runId, providers, windowFrom, isHouse };
  const about = { resourceType: 'ReconciliationRun', resourceId: runId } as const;
  const operation = await openOperation(tx, { kind: RECONCILE, ...about, plan });
  const run = await insertRun(tx, { id: runId, providers, operationId: operation.id, windowFrom });
  await audit(tx, { action: 'RECONCILIATION_STARTED', resourceId: runId, after: { providers } });
  return [run, operation];
}

/** The sweeper finds a run that cannot be submitted now. */
async function submit({ engine, log }: RunStarter, operation: Operation): Promise<void> {
  await engine.submit(operation).catch((error: Error) => {
    log.debug({ operationId: operation.id, err: error }, 'operation left to sweeper');
  });
}
