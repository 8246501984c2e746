//! A set whose workers come and go, with a gate before the network at which their drives are held.
import { hash, randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { LocalRestate } from '../../apps/cli/src/local-restate.ts';
import { type LocalSet, startLocalSet } from '../../apps/cli/src/local-set.ts';
import {
  fundHouse,
  type SandboxFacts,
  sandboxEnvironment,
} from '../../apps/cli/src/local-world.ts';
import {
  type ServerProcess,
  startProcess,
  startServerProcess,
} from '../../apps/cli/src/server-process.ts';
import { audit, type Line } from '../auditor/audit.ts';
import { readJournal } from '../auditor/journal.ts';
import { type FaultyNetwork, openFaultyNetwork } from '../crash-matrix/faulty-network.ts';
import { type Journal, openJournal } from '../crash-matrix/journal.ts';
import { type Gate, openGate } from './gate.ts';

export interface WorkerStage {
  readonly api: string;
  readonly apiKey: string;
  readonly databaseUrl: string;
  /** Looks at the tables as their owner. */
  readonly monitor: pg.Pool;
  readonly sandbox: string;
  readonly journal: Journal;
  readonly network: FaultyNetwork;
  readonly gate: Gate;
  readonly restate: LocalRestate;
  /** The one that the set began with. */
  readonly worker: ServerProcess;
  /** Of this build, beside the others. */
  startWorker(): Promise<ServerProcess>;
  /** Of the next build; without a port at the address of the others. */
  startNextWorker(port?: number): Promise<ServerProcess>;
  stop(): Promise<void>;
}

const NEXT_WORKER = join(import.meta.dirname, 'next-worker.ts');

export async function openWorkerStage(env: Record<string, string> = {}): Promise<WorkerStage> {
  const sandbox = await startServerProcess('sandbox', {}, 'ignore', ['--port', '0']);
  const network = await openFaultyNetwork(sandbox.url);
  const gate = await openGate(network.url);
  const started: ServerProcess[] = [];
  let set: LocalSet | undefined;
  let monitor: pg.Pool | undefined;
  const stop = async () => {
    // One that a failed test left frozen would never end.
    for (const { pid } of set?.workers ?? [])
      if (existsSync(`/proc/${pid}`)) process.kill(pid, 'SIGCONT');
    await Promise.all(started.map((each) => each.kill('SIGKILL')));
    await monitor?.end();
    await set?.stop();
    await gate.stop();
    await network.stop();
    await sandbox.kill('SIGTERM');
  };
  try {
    const facts = sandbox.said as unknown as SandboxFacts;
    const settings = {
      ...sandboxEnvironment(facts),
      HOLDFAST_HORIZON_URL: facts.horizon.replace(sandbox.url, gate.url),
      HOLDFAST_WALLET_KEYS: `v1:${randomBytes(32).toString('base64')}`,
      HOLDFAST_RATE_LIMIT: 'off',
      HOLDFAST_LOG_LEVEL: 'silent',
      ...env,
    };
    set = await startLocalSet({
      port: 0,
      sandbox: false,
      engine: true,
      quiet: true,
      env: settings,
    });
    const { engine, databaseUrl, ready, workers } = set;
    const start = () => set?.startWorker() ?? Promise.reject(new Error('the set is there'));
    const [worker] = workers;
    if (engine === undefined || worker === undefined) throw new Error('a set has all its parts');
    monitor = new pg.Pool({ connectionString: databaseUrl, max: 6 });
    gate.watch(monitor);
    network.watch(monitor);
    await Promise.all([fundHouse(sandbox.url, databaseUrl), engine.served()]);
    const address = await workerPort(engine);
    return {
      api: ready.api,
      apiKey: ready.apiKey,
      databaseUrl,
      monitor,
      sandbox: sandbox.url,
      journal: openJournal(sandbox.url),
      network,
      gate,
      restate: engine,
      worker,
      startWorker: start,
      startNextWorker: async (port = address) => {
        const own = { ...settings, ...workerSettings(databaseUrl, engine, port) };
        const next = await startProcess(NEXT_WORKER, own, 'ignore');
        started.push(next);
        return next;
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What a set tells its own workers. */
function workerSettings(
  databaseUrl: string,
  { ingressUrl, adminUrl }: LocalRestate,
  port: number,
): Record<string, string> {
  return {
    NODE_ENV: 'development',
    DATABASE_URL: databaseUrl,
    HOLDFAST_DATABASE_ROLE: 'holdfast_app',
    HOLDFAST_MASTER_KEY_HASH: hash('sha256', randomUUID(), 'hex'),
    HOLDFAST_TOKEN_SECRET: randomUUID(),
    HOLDFAST_ENGINE_INGRESS_URL: ingressUrl,
    HOLDFAST_ENGINE_ADMIN_URL: adminUrl,
    HOLDFAST_ENGINE_PORT: String(port),
  };
}

/** Where Restate finds workers, by everything it was ever told and has not forgotten. */
export async function workerUrls({ adminUrl }: LocalRestate): Promise<string[]> {
  const answer = await fetch(`${adminUrl}/deployments`);
  const { deployments } = (await answer.json()) as { deployments: { uri: string }[] };
  return deployments.map(({ uri }) => uri.replace(/\/$/, ''));
}

async function workerPort(restate: LocalRestate): Promise<number> {
  const [url = ''] = await workerUrls(restate);
  return Number(new URL(url).port);
}

const REST_MS_MAX = 90_000;

/** Resolves when nothing of anybody is being driven, and all that was told has its place. */
export async function rest({ monitor }: WorkerStage): Promise<void> {
  const deadline = performance.now() + REST_MS_MAX;
  for (;;) {
    const { rows } = await monitor.query<{ text: string }>(
      `select format('%s %s, epoch %s, attempt %s', kind, status, epoch, attempts) as text
       from operation_open join operation using (marketplace_id)
       where operation.id = operation_open.operation_id
       union all select 'something waits for its place' from outbox
       union all select format('%s is due', user_id) from mirror_due
       union all select format('a transfer to %s', user_id) from mirror_item where status = 'OPEN'`,
    );
    if (rows.length === 0) return;
    if (performance.now() > deadline)
      throw new Error(`still moving: ${rows.map(({ text }) => text).join('; ')}`);
    await sleep(100);
  }
}

/**
 * Everything that any invariant of the auditor finds wrong. A job of the background may tell
 * something just now; a fault does not go away.
 */
export async function faults(stage: WorkerStage): Promise<Line[]> {
  for (let again = 0; again < 3; again += 1) {
    if ((await faultsOfNow(stage)).length === 0) return [];
    await rest(stage);
  }
  return faultsOfNow(stage);
}

async function faultsOfNow({ databaseUrl, sandbox }: WorkerStage): Promise<Line[]> {
  const journal = await readJournal(sandbox);
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const lines = await audit(client, { journal, isConverged: true });
    return lines.filter(({ broken }) => broken > 0);
  } finally {
    await client.end();
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
