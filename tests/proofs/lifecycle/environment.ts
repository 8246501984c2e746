//! Two API servers and a worker, as a host runs them: a primary with a synchronous standby, Redis,
//! Restate, and nginx in front.

import type { LocalRestate } from '../../../apps/cli/src/local-restate.ts';
import { startLocalSet } from '../../../apps/cli/src/local-set.ts';
import { fundHouse } from '../../../apps/cli/src/local-world.ts';
import { LOGINS, settingsFor } from '../../../apps/cli/src/process-settings.ts';
import type { ServerProcess } from '../../../apps/cli/src/server-process.ts';
import { startServerProcess } from '../../../apps/cli/src/server-process.ts';
import { findNginx } from '../../../tools/installed.ts';
import { type ApiTarget, call, poster } from '../../harness/api.ts';
import { type Nginx, startNginx } from '../../harness/nginx.ts';
import { randomOf } from '../../harness/random.ts';
import { type OwnRedis, startRedis } from '../../harness/redis.ts';
import { type Replication, startReplication } from '../../harness/replication.ts';
import { HIGH_LOAD } from '../../harness/set.ts';
import { steadyPort } from '../../harness/steady-port.ts';
import { within } from '../../harness/wait.ts';

export interface Instance {
  process: ServerProcess;
  restart(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

export interface Run {
  readonly replication: Replication;
  readonly redis: OwnRedis;
  readonly engine: LocalRestate;
  /** All providers and the network. */
  readonly sandbox: ServerProcess;
  readonly apis: readonly [Instance, Instance];
  readonly worker: Instance;
  readonly nginx: Nginx;
  /** Through nginx. */
  readonly balanced: ApiTarget;
  /** At one API server. */
  readonly direct: ApiTarget;
  readonly userId: string;
  /** Of the database, at the server of this port. */
  databaseUrl(port: number): string;
  /** The status of the probe at every process. */
  probe(path: '/live' | '/ready' | '/started'): Promise<number[]>;
}

const SETTINGS = {
  ...HIGH_LOAD,
  HOLDFAST_INTERNAL_PORT: '0',
  // Production has 5 s. nginx must have found the server before it again, in up to 2 s.
  HOLDFAST_DRAIN_MS: '2500',
  HOLDFAST_SHUTDOWN_MS: '35000',
  HOLDFAST_TRUSTED_PROXIES: '1',
  // Of all calls in progress, so that a wait is seen and not a full pool.
  HOLDFAST_POOL_SIZE: '20',
  HOLDFAST_POOL_WAIT_MS: '1000',
};

export async function openRun(cleanup: AsyncDisposableStack, isLoud: boolean): Promise<Run> {
  const program = findNginx();
  const replication = await startReplication();
  if (replication === undefined || program === undefined)
    throw new Error('PostgreSQL and nginx must be installed');
  cleanup.defer(() => replication.stop());
  const redis = await startRedis();
  cleanup.defer(() => redis.kill());
  const set = await startLocalSet({
    postgres: replication.primary.adminUrl,
    worker: false,
    port: 0,
    quiet: !isLoud,
    env: { ...SETTINGS, REDIS_URL: redis.url },
  });
  // The server that it drops its database from may be gone by then.
  cleanup.defer(() => set.stop().catch(() => undefined));
  const { pathname } = new URL(set.databaseUrl);
  const hosts = [replication.primary, replication.standby].map(({ port }) => `127.0.0.1:${port}`);
  const url = `postgres://postgres@${hosts.join()}${pathname}?target_session_attrs=read-write`;
  const settings = { ...set.settings, DATABASE_URL: url };
  const open = async (role: 'api' | 'worker', port = 0): Promise<Instance> => {
    const own = { HOLDFAST_PORT: String(port), HOLDFAST_DATABASE_ROLE: LOGINS[role] };
    const env = settingsFor(role, { ...settings, ...own });
    const start = () => startServerProcess(role, env, isLoud ? 'inherit' : 'ignore');
    const instance: Instance = {
      process: await start(),
      restart: async (signal) => {
        await instance.process.kill(signal);
        instance.process = await start();
      },
    };
    cleanup.defer(() => instance.process.kill('SIGKILL'));
    return instance;
  };
  const ports = randomOf(process.pid, 1);
  const apis = [
    await open('api', await steadyPort(ports)),
    await open('api', await steadyPort(ports)),
  ] as const;
  const worker = await open('worker');
  const nginx = await openNginx(program, apis);
  cleanup.defer(() => nginx.stop());
  const { apiKey } = set.ready;
  const direct = { api: apis[0].process.url, apiKey };
  const user = await poster(direct)('/users', { externalUserId: 'ada' });
  const instances = [...apis, worker];
  const { engine, sandbox } = set;
  if (engine === undefined || sandbox === undefined)
    throw new Error('the set has no Restate or no sandbox');
  await Promise.all([engine.served(), fundHouse(sandbox.url, set.databaseUrl)]);
  return {
    ...{ replication, redis, engine, sandbox, apis, worker, nginx, direct },
    balanced: { api: `http://127.0.0.1:${nginx.port}`, apiKey },
    userId: (user as { id: string }).id,
    databaseUrl: (port) => `postgres://postgres@127.0.0.1:${port}${pathname}`,
    probe: (path) => Promise.all(instances.map((each) => statusAt(each, path))),
  };
}

/** As deploy/ has it, with both servers; the calls of a test need no TLS. */
function openNginx(program: string, apis: readonly [Instance, Instance]): Promise<Nginx> {
  const [one, other] = apis.map(({ process: { url } }) => new URL(url).host);
  const changes = {
    [`server ${one} fail_timeout=1s;`]: `server ${one} fail_timeout=1s; server ${other} fail_timeout=1s;`,
    ' ssl http2;': ';',
  };
  return startNginx(program, apis[0].process.url, { changes });
}

async function statusAt({ process: { readyInfo } }: Instance, path: string): Promise<number> {
  const response = await fetch(`${String(readyInfo['internal'])}${path}`, {
    signal: AbortSignal.timeout(5000),
  }).catch(() => undefined);
  return response?.status ?? 0;
}

export const isReady = async (run: Run) =>
  (await run.probe('/ready')).every((status) => status === 200);

export const isUnready = async (run: Run) =>
  (await run.probe('/ready')).every((status) => status === 503);

/** How long it took, or undefined if that was not enough. */
export async function msUntil(
  msMax: number,
  isSo: () => Promise<boolean>,
): Promise<number | undefined> {
  const startedAt = performance.now();
  const isInTime = await within(msMax, isSo, 20);
  return isInTime ? Math.round(performance.now() - startedAt) : undefined;
}

export function credit(run: Run, key?: string, msMax?: number) {
  const path = `/users/${run.userId}/balance/credit`;
  return call(run.direct, { path, body: { amount: '0.01' }, key, msMax: msMax ?? 45_000 });
}

/** In cents, as the server of this port has it. */
export async function entriesAt(run: Run, port: number): Promise<number> {
  const { default: pg } = await import('pg');
  const client = new pg.Client(run.databaseUrl(port));
  await client.connect();
  const { rows } = await client.query<{ entries: number }>(
    `select count(*)::int as entries from entry e join account a on a.id = e.to_account
     where a.owner_id = $1`,
    [run.userId],
  );
  await client.end();
  return rows[0]?.entries ?? 0;
}
