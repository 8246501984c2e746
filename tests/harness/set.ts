//! A running set with the parts that a harness needs. Everything that was started is stopped in
//! reverse order: at the end, if the start fails half-way, and on a signal.
import { closeSync, openSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { endChildren } from '../../apps/cli/src/children.ts';
import type { LocalRestate } from '../../apps/cli/src/local-restate.ts';
import {
  type LocalSet,
  type LocalSetOptions,
  type ServerProcess,
  startLocalSet,
} from '../../apps/cli/src/local-set.ts';
import {
  fundHouse,
  type SandboxFacts,
  sandboxEnvironment,
  sendWebhooks,
} from '../../apps/cli/src/local-world.ts';
import { type LogTo, startServerProcess } from '../../apps/cli/src/server-process.ts';
import { createTemporaryFolder } from '../../apps/cli/src/temporary-folder.ts';
import { endPool } from '../../apps/server/src/testing/database/end-pool.ts';
import { closeConnections } from './exchange.ts';
import { type Network, openNetwork } from './network.ts';
import { openPaymentProxy, type PaymentProxy } from './payment-proxy.ts';
import { publishTargets, scrapedEnvironment } from './prometheus-targets.ts';
import { randomOf } from './random.ts';
import { type OwnRedis, startRedis } from './redis.ts';
import { steadyPort } from './steady-port.ts';

export interface SetOptions
  extends Pick<LocalSetOptions, 'apis' | 'worker' | 'workers' | 'engine' | 'env' | 'postgres'> {
  /**
   * By default the set's own; `apart`: started before the set, so that a test can fail and hold its
   * network step by step.
   */
  readonly sandbox?: 'own' | 'apart' | 'none';
  /** Whether the escrow provider of a separate sandbox sends webhooks. */
  readonly hasWebhooks?: boolean;
  /** A separate Redis that tests can flush and kill. */
  readonly hasRedis?: boolean;
  /** Uses ports that no other process gets while the owner of one is down. */
  readonly isSteady?: boolean;
  /** Shows the standard error of the processes. */
  readonly isLoud?: boolean;
  /** Where it is kept otherwise. By default it is read only when a process does not start. */
  readonly logFile?: string;
  /** The number of connections for reading the tables. */
  readonly monitors?: number;
}

export interface OpenSet {
  readonly set: LocalSet;
  readonly api: string;
  readonly apiKey: string;
  readonly databaseUrl: string;
  /** Reads the tables as their owner. */
  readonly monitor: pg.Pool;
  /** The running processes; the successor of a killed one takes its index. */
  readonly apis: ServerProcess[];
  readonly workers: ServerProcess[];
  readonly urls: readonly string[];
  /** Empty if there is none. */
  readonly sandbox: string;
  readonly sandboxPid: number | undefined;
  readonly engine: LocalRestate | undefined;
  readonly redis: OwnRedis | undefined;
  readonly network: Network | undefined;
  readonly payments: PaymentProxy | undefined;
  /** An account on the network that is not ours and holds USDC. Empty without such a sandbox. */
  readonly externalAddress: string;
}

export type Environment<T> = OpenSet & T & AsyncDisposable & { stop(): Promise<void> };

/** Settings for a set with many concurrent clients, whose processes are killed. */
export const HIGH_LOAD: Readonly<Record<string, string>> = {
  // Counted, so that Redis is used and has state to lose; but never reached.
  HOLDFAST_RATE_LIMIT: '1000000',
  HOLDFAST_MASTER_RATE_LIMIT: '1000000',
  HOLDFAST_CONNECTIONS_PER_ADDRESS_MAX: '2000',
  // All pools together stay below the default limit of PostgreSQL. Where many clients share few
  // cores, a slow database is not an unavailable one.
  HOLDFAST_POOL_SIZE: '10',
  HOLDFAST_POOL_WAIT_MS: '5000',
  // Processes are started all the time and should not compile again.
  NODE_COMPILE_CACHE: join(tmpdir(), 'holdfast-compile-cache'),
};

const STOP_MS_MAX = 10_000;
const openings = new Set<Promise<{ stop(): Promise<void> }>>();

/** A set with the additions of `setUp`, which defers the cleanup of everything it starts. */
export function openEnvironment<T extends object>(
  options: SetOptions,
  setUp: (set: OpenSet, cleanup: AsyncDisposableStack) => Promise<T>,
): Promise<Environment<T>> {
  const opening = open(options, setUp);
  openings.add(opening);
  return opening;
}

export function openSet(options: SetOptions): Promise<Environment<object>> {
  return openEnvironment(options, async () => ({}));
}

/** A part that a harness relies on, though not every set has it. */
export function needed<T>(part: T | undefined, name: string): T {
  if (part === undefined) throw new Error(`the set has no ${name}`);
  return part;
}

async function open<T extends object>(
  options: SetOptions,
  setUp: (set: OpenSet, cleanup: AsyncDisposableStack) => Promise<T>,
): Promise<Environment<T>> {
  await using cleanup = new AsyncDisposableStack();
  const set = await start(options, cleanup);
  const more = await setUp(set, cleanup);
  const all = cleanup.move();
  const stop = () => all.disposeAsync();
  return { ...set, ...more, stop, [Symbol.asyncDispose]: stop };
}

async function start(options: SetOptions, cleanup: AsyncDisposableStack): Promise<OpenSet> {
  const { sandbox: where = 'own', isLoud = false, isSteady = false, monitors = 6 } = options;
  cleanup.defer(async () => closeConnections());
  const redis = options.hasRedis ? await startRedis() : undefined;
  if (redis !== undefined) cleanup.defer(() => redis.kill());
  const logTo = isLoud ? 'inherit' : openLog(cleanup, options.logFile);
  const apart = where === 'apart' ? await startApart(logTo, cleanup) : undefined;
  const ports = randomOf(process.pid, 1);
  const { apis: apiCount = 1 } = options;
  const set = await startLocalSet({
    ...options,
    ...(isSteady ? { apis: 1 } : {}),
    port: isSteady ? await steadyPort(ports) : 0,
    sandbox: where === 'own',
    engine: options.engine ?? where !== 'none',
    logTo,
    env: {
      ...apart?.env,
      ...(redis && { REDIS_URL: redis.url }),
      ...scrapedEnvironment(),
      ...options.env,
    },
  });
  cleanup.defer(() => set.stop());
  const monitor = new pg.Pool({ connectionString: set.databaseUrl, max: monitors });
  cleanup.defer(() => endPool(monitor));
  const { databaseUrl, engine, ready } = set;
  apart?.network.watch(monitor);
  apart?.payments.watch(monitor);
  if (apart !== undefined)
    await Promise.all([fundHouse(apart.url, databaseUrl), needed(engine, 'Restate').served()]);
  if (apart !== undefined && options.hasWebhooks)
    await sendWebhooks(apart.url, ready.api, { escrow: ready.escrowWebhookSecret });
  const apis = [...set.apis];
  while (apis.length < apiCount) apis.push(await set.startApi(await steadyPort(ports)));
  const workers = [...set.workers];
  const targets = publishTargets({ api: apis, worker: workers });
  cleanup.defer(async () => targets[Symbol.dispose]());
  return {
    ...{ set, databaseUrl, monitor, apis, engine, redis },
    ...{ api: ready.api, apiKey: ready.apiKey, network: apart?.network },
    payments: apart?.payments,
    externalAddress: apart?.externalAddress ?? '',
    workers,
    urls: apis.map(({ url }) => url),
    sandbox: apart?.url ?? ready.sandbox ?? '',
    sandboxPid: apart?.pid,
  };
}

/** By default a file without a name. */
function openLog(cleanup: AsyncDisposableStack, path?: string): number {
  using folder = createTemporaryFolder('holdfast-log');
  const log = openSync(path ?? join(folder.path, 'log'), 'a+');
  cleanup.defer(async () => closeSync(log));
  return log;
}

async function startApart(logTo: LogTo, cleanup: AsyncDisposableStack) {
  const sandbox = await startServerProcess('sandbox', {}, logTo, ['--port', '0']);
  cleanup.defer(() => sandbox.kill('SIGTERM'));
  const { url, pid, readyInfo } = sandbox;
  const network = await openNetwork(url);
  cleanup.defer(() => network.close());
  const payments = await openPaymentProxy(url);
  cleanup.defer(() => payments.close());
  const facts = readyInfo as unknown as SandboxFacts;
  const env = {
    ...sandboxEnvironment(facts),
    HOLDFAST_HORIZON_URL: facts.horizon.replace(url, network.url),
    HOLDFAST_PAYMENT_PROVIDER_URL: facts.paymentProvider.replace(url, payments.url),
  };
  return { url, pid, network, payments, env, externalAddress: facts.escrowFeeAddress };
}

/** Aborts the run without a verdict: ends all processes at once, then removes the databases. */
export function endAll(): void {
  setTimeout(() => process.exit(1), STOP_MS_MAX).unref();
  endChildren();
  const stopped = [...openings].map(async (opening) => (await opening).stop());
  void Promise.allSettled(stopped).finally(() => process.exit(1));
}
