//! The environment of both sides: one database, one sandbox, the service's processes and users.
import pg from 'pg';
import { type LocalSet, startLocalSet } from '../../apps/cli/src/local-set.ts';
import {
  fundHouse,
  type SandboxFacts,
  sandboxEnvironment,
  sendWebhooks,
} from '../../apps/cli/src/local-world.ts';
import { startServerProcess } from '../../apps/cli/src/server-process.ts';
import { endPool } from '../../apps/server/src/testing/database/end-pool.ts';
import { poster } from '../../tests/harness/api.ts';
import { closeConnections } from '../../tests/harness/exchange.ts';
import { createPair, type Pair } from '../../tests/harness/people.ts';
import { rest } from '../../tests/harness/rest.ts';
import { INSPECTABLE } from '../harness/profile.ts';
import { openInProcess } from './in-process.ts';
import type { Side } from './life.ts';
import type { OrdersOptions } from './options.ts';
import { overHttp } from './over-http.ts';

export interface Environment extends AsyncDisposable {
  readonly sides: { readonly http: Side; readonly inProcess: Side };
  readonly pairs: readonly Pair[];
  /** As the owner of the tables. */
  readonly monitor: pg.Pool;
  readonly databaseUrl: string;
  readonly sandbox: string;
  /** The CPU of each process; this one is the client of one side and all of the other. */
  readonly pids: Readonly<Record<string, number>>;
  /** Resolves when no operation runs any more, so that neither side pays for the other's work. */
  rested(): Promise<void>;
}

/** Much more than all lives together take. */
const FUNDS = '90000.00';
const REST_MS_MAX = 120_000;

/** The same for all processes of the service and for the baseline. */
const SETTINGS = {
  HOLDFAST_RATE_LIMIT: 'off',
  HOLDFAST_LOG_LEVEL: 'warn',
  // On a busy machine both sides are slow; neither should give up.
  HOLDFAST_POOL_WAIT_MS: '20000',
  HOLDFAST_REQUEST_DEADLINE: '300',
};

/** The sandbox is the bench's own, so that it sends webhooks only where they are measured. */
export async function openEnvironment(options: OrdersOptions): Promise<Environment> {
  await using cleanup = new AsyncDisposableStack();
  const sandbox = await startServerProcess('sandbox', {}, 'ignore', ['--port', '0']);
  cleanup.defer(() => sandbox.kill('SIGTERM'));
  const set = await startLocalSet({
    port: 0,
    workers: options.workers,
    sandbox: false,
    engine: true,
    quiet: true,
    env: {
      ...sandboxEnvironment(sandbox.readyInfo as unknown as SandboxFacts),
      ...SETTINGS,
      ...(options.profile ? INSPECTABLE : {}),
    },
  });
  cleanup.defer(() => set.stop());
  cleanup.defer(async () => closeConnections());
  await Promise.all([fundHouse(sandbox.url, set.databaseUrl), set.engine?.served()]);
  const { api, apiKey, escrowWebhookSecret: escrow } = set.ready;
  if (options.webhooks) await sendWebhooks(sandbox.url, api, { escrow });
  const monitor = new pg.Pool({ connectionString: set.databaseUrl });
  cleanup.defer(() => endPool(monitor));
  const inProcess = await openInProcess(set.settings, apiKey);
  cleanup.defer(() => inProcess.close());
  const pairs: Pair[] = [];
  while (pairs.length < options.pairs) pairs.push(await createPair(poster({ api, apiKey }), FUNDS));
  const all = cleanup.move();
  return {
    sides: { http: overHttp({ api, apiKey }), inProcess: inProcess.side },
    pairs,
    monitor,
    databaseUrl: set.databaseUrl,
    sandbox: sandbox.url,
    pids: pidsOf(set, sandbox.pid),
    rested: () => rest(monitor, REST_MS_MAX),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

function pidsOf(set: LocalSet, sandbox: number): Record<string, number> {
  const workers = set.workers.map(({ pid }, at) => [at === 0 ? 'worker' : `worker ${at + 1}`, pid]);
  return {
    bench: process.pid,
    api: set.apis[0]?.pid ?? 0,
    ...(Object.fromEntries(workers) as Record<string, number>),
    restate: set.engine?.pid ?? 0,
    sandbox,
  };
}
