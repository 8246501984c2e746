//! Begins a reconciliation run: POST /reconciliation/runs. It goes on by itself; its record tells
//! how far it is.
import { newId } from '@holdfast/kernel/ids';
import { audit } from '../audit/audit-entry.ts';
import type { Config } from '../config.ts';
import type { Requester } from '../engine/drive-request.ts';
import { type Operation, openOperation } from '../engine/operation.ts';
import type { Call } from '../platform/call.ts';
import type { RowNumber } from '../platform/database.ts';
import { type Tx, transact } from '../platform/transact.ts';
import type { Compared } from './finding.ts';
import { RECONCILE } from './reconcile-books.ts';
import { findHouseMarketplace, insertRun, type Run } from './run.ts';
import type { ReconcilePlan } from './run-plan.ts';

export interface RunStarter extends Requester {
  readonly config: Config;
}

export interface RunWish {
  readonly providers?: readonly Compared[];
}

const DAY_MS = 86_400_000;
const ALL: readonly Compared[] = ['payment_provider', 'ledger_network'];

/** Nobody waits for it: a marketplace may have more records than a request has time. */
export async function createReconciliationRun(
  app: RunStarter,
  call: Call,
  { providers = ALL }: RunWish,
): Promise<Run> {
  // Said only after the key was looked at: a repeat needs no engine.
  const down = await app.engine.checkUp().then(
    () => undefined,
    (error: unknown) => error as Error,
  );
  const house = await findHouseMarketplace(app.pool, app.config);
  let begun: Operation | undefined;
  const run = await transact(app, call, async (tx) => {
    if (down !== undefined) throw down;
    const [made, operation] = await begin(
      tx,
      app.config,
      ALL.filter((each) => providers.includes(each)),
      house,
    );
    begun = operation;
    return made;
  });
  if (begun !== undefined) await submit(app, begun);
  return run;
}

async function begin(
  tx: Tx,
  config: Config,
  providers: readonly Compared[],
  house: RowNumber | null,
): Promise<[Run, Operation]> {
  const runId = newId('rec');
  const windowFrom = tx.now - config.HOLDFAST_RECONCILIATION_DAYS * DAY_MS;
  const isHouse = house === tx.marketplace;
  const plan: ReconcilePlan = { runId, providers, windowFrom, isHouse };
  const about = { resourceType: 'ReconciliationRun', resourceId: runId } as const;
  const operation = await openOperation(tx, { kind: RECONCILE, ...about, plan });
  const run = await insertRun(tx, { id: runId, providers, operationId: operation.id, windowFrom });
  await audit(tx, { action: 'RECONCILIATION_STARTED', resourceId: runId, after: { providers } });
  return [run, operation];
}

/** What can't be submitted now is found by the sweeper. */
async function submit({ engine, log }: RunStarter, operation: Operation): Promise<void> {
  await engine.submit(operation).catch((error: Error) => {
    log.debug({ operationId: operation.id, reason: error.message }, 'leave to sweeper');
  });
}
