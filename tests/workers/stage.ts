//! A set whose workers come and go, with a gate before the network at which their drives are held.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { LocalRestate } from '../../apps/cli/src/local-restate.ts';
import { type ServerProcess, startProcess } from '../../apps/cli/src/server-process.ts';
import { scriptOf } from '../../apps/cli/src/testing/script.ts';
import { openJournal } from '../harness/journal.ts';
import { rest as restOf } from '../harness/rest.ts';
import { auditOnce } from '../harness/run.ts';
import { needed, openStage } from '../harness/set.ts';

export type WorkerStage = Awaited<ReturnType<typeof openWorkerStage>>;

const NEXT_WORKER = scriptOf(join(import.meta.dirname, 'next-worker.ts'));
const REST_MS_MAX = 90_000;

export function openWorkerStage(env: Record<string, string> = {}) {
  const settings = { HOLDFAST_RATE_LIMIT: 'off', HOLDFAST_LOG_LEVEL: 'silent', ...env };
  return openStage({ sandbox: 'apart', env: settings }, async (opened, begun) => {
    const { set } = opened;
    const started: ServerProcess[] = [];
    begun.defer(async () => {
      // One that a failed test left frozen would never end.
      for (const { pid } of set.workers)
        if (existsSync(`/proc/${pid}`)) process.kill(pid, 'SIGCONT');
      await Promise.all(started.map((each) => each.kill('SIGKILL')));
    });
    return {
      network: needed(opened.network, 'network'),
      journal: openJournal(opened.sandbox),
      restate: needed(opened.engine, 'Restate'),
      /** The one that the set began with. */
      worker: needed(opened.workers[0], 'worker'),
      /** Of this build, beside the others. */
      startWorker: () => set.startWorker(),
      /** Of the next build; without a port at the address of the others. */
      startNextWorker: async (port?: number) => {
        const at = port === undefined ? {} : { HOLDFAST_ENGINE_PORT: String(port) };
        const next = await startProcess(NEXT_WORKER, { ...set.settings, ...at }, 'ignore');
        started.push(next);
        return next;
      },
    };
  });
}

/** Where Restate finds workers, by everything it was ever told and has not forgotten. */
export async function workerUrls({ adminUrl }: LocalRestate): Promise<string[]> {
  const answer = await fetch(`${adminUrl}/deployments`);
  const { deployments } = (await answer.json()) as { deployments: { uri: string }[] };
  return deployments.map(({ uri }) => uri.replace(/\/$/, ''));
}

/** Resolves when nothing of anybody is being driven, and all that was told has its place. */
export function rest({ monitor }: WorkerStage): Promise<void> {
  return restOf(monitor, REST_MS_MAX);
}

/**
 * Everything that the auditor finds wrong. A job of the background may tell something just now; a
 * fault does not go away.
 */
export async function faults(stage: WorkerStage): Promise<readonly string[]> {
  for (let again = 0; ; again += 1) {
    const { faults } = await auditOnce({ ...stage, isConverged: true });
    if (faults.length === 0 || again === 3) return faults;
    await rest(stage);
  }
}

export interface Driven {
  readonly kind: string;
  readonly status: string;
  readonly epoch: number;
  readonly attempts: number;
  /** Steps that are marked, in order. */
  readonly steps: readonly string[];
}

/** The operation that a request began. */
export async function drivenFor({ monitor }: WorkerStage, requestId: string): Promise<Driven> {
  const { rows } = await monitor.query<Driven>(
    `select kind, status, epoch, attempts, array(select name from operation_step
       where operation_step.marketplace_id = operation.marketplace_id and operation_id = operation.id
       order by started_at, name) as steps
     from operation where correlation_id = $1 and kind <> 'true-up-wallet'`,
    [requestId],
  );
  const [driven] = rows;
  if (driven === undefined) throw new Error(`request ${requestId} began nothing`);
  return driven;
}
