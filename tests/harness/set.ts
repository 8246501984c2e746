//! A running set with what a harness needs around it. Whatever was begun is taken back, in the
//! opposite order, at the end, when the start fails half-way, and when a signal ends the run.
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
import { startServerProcess } from '../../apps/cli/src/server-process.ts';
import { chanceOf } from './chance.ts';
import { closeConnections } from './exchange.ts';
import { type Network, openNetwork } from './network.ts';
import { type OwnRedis, startRedis } from './redis.ts';
import { steadyPort } from './steady-port.ts';

export interface SetWishes
  extends Pick<LocalSetOptions, 'apis' | 'worker' | 'workers' | 'engine' | 'env'> {
  /**
   * The set's own, unless told otherwise; `apart`: before the set, so that its network can be
   * failed and held step by step.
   */
  readonly sandbox?: 'own' | 'apart' | 'none';
  /** Whether the escrow provider of a sandbox that is apart tells what happened. */
  readonly hasWebhooks?: boolean;
  /** A Redis of its own, to be flushed and killed. */
  readonly hasRedis?: boolean;
  /** Addresses that nobody is given while the process that has one is away. */
  readonly isSteady?: boolean;
  /** Shows what the processes say on standard error. */
  readonly isLoud?: boolean;
  /** Connections that look at the tables. */
  readonly monitors?: number;
}

export interface OpenSet {
  readonly set: LocalSet;
  readonly api: string;
  readonly apiKey: string;
  readonly databaseUrl: string;
  /** Looks at the tables as their owner. */
  readonly monitor: pg.Pool;
  /** Those that run now; a killed one is replaced at its place. */
  readonly apis: ServerProcess[];
  readonly workers: ServerProcess[];
  readonly urls: readonly string[];
  /** Empty where there is none. */
  readonly sandbox: string;
  readonly sandboxPid: number | undefined;
  readonly engine: LocalRestate | undefined;
  readonly redis: OwnRedis | undefined;
  readonly network: Network | undefined;
}

export type Stage<T> = OpenSet & T & { stop(): Promise<void> };

/** Settings of a set that many clients ask at once, and whose processes are killed. */
export const CROWDED: Readonly<Record<string, string>> = {
  // Counted, so that Redis is asked and has something to forget; but never reached.
  HOLDFAST_RATE_LIMIT: '1000000',
  HOLDFAST_MASTER_RATE_LIMIT: '1000000',
  HOLDFAST_CONNECTIONS_PER_ADDRESS_MAX: '2000',
  // All of them together stay below what a PostgreSQL allows that nobody has configured. Where
  // many clients share few cores, slow is not away.
  HOLDFAST_POOL_SIZE: '10',
  HOLDFAST_POOL_WAIT_MS: '5000',
  // Processes are started all the time: they should not compile anew.
  NODE_COMPILE_CACHE: join(tmpdir(), 'holdfast-compile-cache'),
};

const STOP_MS_MAX = 10_000;
const openings = new Set<Promise<{ stop(): Promise<void> }>>();

/** A set, and what `furnish` makes of it; what it begins, it defers the end of. */
export function openStage<T extends object>(
  wishes: SetWishes,
  furnish: (set: OpenSet, begun: AsyncDisposableStack) => Promise<T>,
): Promise<Stage<T>> {
  const opening = open(wishes, furnish);
  openings.add(opening);
  return opening;
}

export function openSet(wishes: SetWishes): Promise<Stage<object>> {
  return openStage(wishes, async () => ({}));
}

/** What a harness relies on, though not every set has it. */
export function needed<T>(part: T | undefined, name: string): T {
  if (part === undefined) throw new Error(`the set has no ${name}`);
  return part;
}

async function open<T extends object>(
  wishes: SetWishes,
  furnish: (set: OpenSet, begun: AsyncDisposableStack) => Promise<T>,
): Promise<Stage<T>> {
  await using begun = new AsyncDisposableStack();
  const set = await start(wishes, begun);
  const more = await furnish(set, begun);
  const all = begun.move();
  return { ...set, ...more, stop: () => all.disposeAsync() };
}

async function start(wishes: SetWishes, begun: AsyncDisposableStack): Promise<OpenSet> {
  const { sandbox: where = 'own', isLoud = false, isSteady = false, monitors = 6 } = wishes;
  begun.defer(async () => closeConnections());
  const redis = wishes.hasRedis ? await startRedis() : undefined;
  if (redis !== undefined) begun.defer(() => redis.kill());
  const apart = where === 'apart' ? await startApart(isLoud, begun) : undefined;
  const ports = chanceOf(process.pid, 1);
  const { apis: apiCount = 1 } = wishes;
  const set = await startLocalSet({
    ...wishes,
    ...(isSteady ? { apis: 1 } : {}),
    port: isSteady ? await steadyPort(ports) : 0,
    sandbox: where === 'own',
    engine: wishes.engine ?? where !== 'none',
    quiet: !isLoud,
    env: { ...apart?.env, ...(redis && { REDIS_URL: redis.url }), ...wishes.env },
  });
  begun.defer(() => set.stop());
  const monitor = new pg.Pool({ connectionString: set.databaseUrl, max: monitors });
  begun.defer(() => monitor.end());
  const { databaseUrl, engine, ready } = set;
  apart?.network.watch(monitor);
  if (apart !== undefined)
    await Promise.all([fundHouse(apart.url, databaseUrl), needed(engine, 'Restate').served()]);
  if (apart !== undefined && wishes.hasWebhooks)
    await sendWebhooks(apart.url, ready.api, { escrow: ready.escrowWebhookSecret });
  const apis = [...set.apis];
  while (apis.length < apiCount) apis.push(await set.startApi(await steadyPort(ports)));
  return {
    ...{ set, databaseUrl, monitor, apis, engine, redis },
    ...{ api: ready.api, apiKey: ready.apiKey, network: apart?.network },
    workers: [...set.workers],
    urls: apis.map(({ url }) => url),
    sandbox: apart?.url ?? ready.sandbox ?? '',
    sandboxPid: apart?.pid,
  };
}

async function startApart(isLoud: boolean, begun: AsyncDisposableStack) {
  const logTo = isLoud ? 'inherit' : 'ignore';
  const sandbox = await startServerProcess('sandbox', {}, logTo, ['--port', '0']);
  begun.defer(() => sandbox.kill('SIGTERM'));
  const { url, pid, said } = sandbox;
  const network = await openNetwork(url);
  begun.defer(() => network.close());
  const facts = said as unknown as SandboxFacts;
  const HOLDFAST_HORIZON_URL = facts.horizon.replace(url, network.url);
  return { url, pid, network, env: { ...sandboxEnvironment(facts), HOLDFAST_HORIZON_URL } };
}

/** Nobody waits for a verdict any more: all processes end at once, then the databases go. */
export function endAll(): void {
  setTimeout(() => process.exit(1), STOP_MS_MAX).unref();
  endChildren();
  const stopped = [...openings].map(async (opening) => (await opening).stop());
  void Promise.allSettled(stopped).finally(() => process.exit(1));
}
