//! A set whose workers start and stop, with a proxy before the network that holds their attempts.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { LocalRestate } from '../../../apps/cli/src/local-restate.ts';
import { LOGINS } from '../../../apps/cli/src/process-settings.ts';
import { type ServerProcess, startProcess } from '../../../apps/cli/src/server-process.ts';
import { scriptOf } from '../../../apps/cli/src/testing/script.ts';
import { openJournal } from '../../harness/journal.ts';
import { rest as restOf } from '../../harness/rest.ts';
import { auditOnce } from '../../harness/run.ts';
import { needed, openEnvironment } from '../../harness/set.ts';

export type WorkerEnvironment = Awaited<ReturnType<typeof openWorkerEnvironment>>;

const NEXT_WORKER = scriptOf(join(import.meta.dirname, 'next-worker.ts'));
const REST_MS_MAX = 90_000;

export function openWorkerEnvironment(env: Record<string, string> = {}) {
  const settings = { HOLDFAST_RATE_LIMIT: 'off', HOLDFAST_LOG_LEVEL: 'silent', ...env };
  return openEnvironment({ sandbox: 'apart', env: settings }, async (opened, cleanup) => {
    const { set } = opened;
    const started: ServerProcess[] = [];
    cleanup.defer(async () => {
      // A worker that a failed test left frozen would never end.
      for (const { pid } of set.workers)
        if (existsSync(`/proc/${pid}`)) process.kill(pid, 'SIGCONT');
      await Promise.all(started.map((each) => each.kill('SIGKILL')));
    });
    return {
      network: needed(opened.network, 'network'),
      journal: openJournal(opened.sandbox),
      restate: needed(opened.engine, 'Restate'),
      /** The first worker of the set. */
      worker: needed(opened.workers[0], 'worker'),
      /** Starts a worker of this build beside the others. */
      startWorker: () => set.startWorker(),
      /** Starts a worker of the next build; without a port, at the address of the others. */
      startNextWorker: async (port?: number) => {
        const at = port === undefined ? {} : { HOLDFAST_ENGINE_PORT: String(port) };
        const own = { HOLDFAST_DATABASE_ROLE: LOGINS.worker, ...at };
        const next = await startProcess(NEXT_WORKER, { ...set.settings, ...own }, 'ignore');
        started.push(next);
        return next;
      },
    };
  });
}

/** The addresses of all workers that are registered with Restate. */
export async function workerUrls({ adminUrl }: LocalRestate): Promise<string[]> {
  const response = await fetch(`${adminUrl}/deployments`);
  const { deployments } = (await response.json()) as { deployments: { uri: string }[] };
  return deployments.map(({ uri }) => uri.replace(/\/$/, ''));
}

/** Resolves when no operation is in progress and all events are sequenced. */
export function rest({ monitor }: WorkerEnvironment): Promise<void> {
  return restOf(monitor, REST_MS_MAX);
}

/**
 * The faults that the auditor finds. A background job may emit an event during the audit, so it is
 * repeated; a real fault stays.
 */
export async function faults(environment: WorkerEnvironment): Promise<readonly string[]> {
  for (let again = 0; ; again += 1) {
    const { faults } = await auditOnce({ ...environment, isConverged: true });
    if (faults.length === 0 || again === 3) return faults;
    await rest(environment);
  }
}

export interface OperationState {
  readonly kind: string;
  readonly status: string;
  readonly epoch: number;
  readonly attempts: number;
  /** The steps with a marker, in order. */
  readonly steps: readonly string[];
}

/** The operation that a request started. */
export async function operationFor(
  { monitor }: WorkerEnvironment,
  requestId: string,
): Promise<OperationState> {
  const { rows } = await monitor.query<OperationState>(
    `select kind, status, epoch, attempts, array(select name from operation_step
       where operation_step.marketplace_id = operation.marketplace_id and operation_id = operation.id
       order by started_at, name) as steps
     from operation where correlation_id = $1 and kind <> 'true-up-wallet'`,
    [requestId],
  );
  const [operation] = rows;
  if (operation === undefined) throw new Error(`request ${requestId} started no operation`);
  return operation;
}
