//! Where the run takes place: a whole set with two of each process, and the people in it.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { LocalRestate } from '../../apps/cli/src/local-restate.ts';
import { type LocalSet, type ServerProcess, startLocalSet } from '../../apps/cli/src/local-set.ts';
import { chanceOf } from '../chaos-events/chance.ts';
import { type OwnRedis, startRedis } from '../chaos-events/redis.ts';
import { steadyPort } from './steady-port.ts';

export interface Marketplace {
  readonly id: string;
  readonly key: string;
  readonly userIds: readonly string[];
}

export interface Stage {
  readonly set: LocalSet;
  readonly engine: LocalRestate;
  readonly redis: OwnRedis;
  /** Looks at the tables as their owner. */
  readonly monitor: pg.Pool;
  readonly sandbox: string;
  /** Those that run now; a killed one is replaced at its place, under its address. */
  readonly apis: ServerProcess[];
  readonly workers: ServerProcess[];
  readonly urls: readonly string[];
  readonly marketplaces: readonly Marketplace[];
  stop(): Promise<void>;
}

const MARKETPLACES = 10;
const USERS_OF_EACH = 16;
/** What everybody begins with, in cents. */
export const FIRST_MONEY = 2_000_000n;
const FIRST_MONEY_TEXT = '20000.00';
const WALLETS_MS_MAX = 60_000;

export async function openStage(isLoud: boolean): Promise<Stage> {
  const redis = await startRedis();
  let set: LocalSet | undefined;
  let monitor: pg.Pool | undefined;
  const stop = async () => {
    await monitor?.end();
    await set?.stop();
    await redis.kill();
  };
  try {
    const ports = chanceOf(process.pid, 1);
    set = await startSet(redis, await steadyPort(ports), isLoud);
    const { engine, ready } = set;
    if (engine === undefined || ready.sandbox === undefined) throw new Error('not a whole set');
    monitor = new pg.Pool({ connectionString: set.databaseUrl, max: 4 });
    const apis = [...set.apis, await set.startApi(await steadyPort(ports))];
    const marketplaces = await populate(set);
    await untilWallets(monitor, MARKETPLACES * USERS_OF_EACH);
    return {
      ...{ set, engine, redis, monitor, apis, marketplaces, stop },
      sandbox: ready.sandbox,
      workers: [...set.workers],
      urls: apis.map(({ url }) => url),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function startSet(redis: OwnRedis, port: number, isLoud: boolean): Promise<LocalSet> {
  return startLocalSet({
    port,
    workers: 2,
    quiet: !isLoud,
    env: {
      REDIS_URL: redis.url,
      // Counted, so that Redis is asked and has something to forget; but never reached.
      HOLDFAST_RATE_LIMIT: '1000000',
      HOLDFAST_MASTER_RATE_LIMIT: '1000000',
      // Whoever gets no answer asks again and again.
      HOLDFAST_TOPUPS_PER_USER: 'off',
      HOLDFAST_WITHDRAWALS_PER_USER: 'off',
      HOLDFAST_CONNECTIONS_PER_ADDRESS_MAX: '2000',
      // All of them together stay below what a PostgreSQL allows that nobody has configured. Where
      // many clients share few cores, slow is not away.
      HOLDFAST_POOL_SIZE: '10',
      HOLDFAST_POOL_WAIT_MS: '5000',
      HOLDFAST_SPARE_WALLETS: String(MARKETPLACES * USERS_OF_EACH),
      // Processes are started all the time: they should not compile anew.
      NODE_COMPILE_CACHE: join(tmpdir(), 'holdfast-compile-cache'),
    },
  });
}

async function populate(set: LocalSet): Promise<Marketplace[]> {
  const numbers = Array.from({ length: MARKETPLACES }, (_, at) => at + 1);
  return Promise.all(numbers.map((number) => makeMarketplace(set, `Chaos ${number}`)));
}

async function makeMarketplace({ ready }: LocalSet, name: string): Promise<Marketplace> {
  const made = await makeKey(ready, name);
  const key = String(made['key']);
  const userIds: string[] = [];
  for (let at = 1; at <= USERS_OF_EACH; at += 1) {
    const externalUserId = `${name} ${at}`.replaceAll(' ', '-').toLowerCase();
    const email = `${externalUserId}@example.test`;
    const { id } = await post(ready.api, key, '/users', { externalUserId, email });
    await post(ready.api, key, `/users/${String(id)}/payment-account/link`, { email });
    const credit = { amount: FIRST_MONEY_TEXT };
    await post(ready.api, key, `/users/${String(id)}/balance/credit`, credit);
    userIds.push(String(id));
  }
  return { id: String(made['marketplaceId']), key, userIds };
}

function makeKey({ api, masterKey }: LocalSet['ready'], name: string) {
  const scopes = ['read', 'write', 'support'];
  return post(api, masterKey, '/auth/api-keys', { name, scopes });
}

/** Of a marketplace of its own, for those who bring their own people. */
export async function newKey({ ready }: LocalSet, name: string): Promise<string> {
  return String((await makeKey(ready, name))['key']);
}

async function post(
  api: string,
  key: string,
  path: string,
  body: object,
): Promise<Readonly<Record<string, unknown>>> {
  const answer = await fetch(`${api}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { data: { data: Record<string, unknown> } }).data.data;
}

/** Everybody has an address before the first order. */
async function untilWallets(monitor: pg.Pool, count: number): Promise<void> {
  const giveUpAt = performance.now() + WALLETS_MS_MAX;
  while (performance.now() < giveUpAt) {
    const { rows } = await monitor.query<{ ready: number }>(
      'select count(*)::int as ready from wallet where user_id is not null and ready_at is not null',
    );
    if ((rows[0]?.ready ?? 0) >= count) return;
    await sleep(200);
  }
  throw new Error('not everybody has a wallet');
}
