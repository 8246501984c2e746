//! Where both sides run: one database, one sandbox, the processes of the service, and its users.
import { hash, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { type LocalSet, startLocalSet } from '../../apps/cli/src/local-set.ts';
import {
  fundHouse,
  type SandboxFacts,
  sandboxEnvironment,
  sendWebhooks,
} from '../../apps/cli/src/local-world.ts';
import { startServerProcess } from '../../apps/cli/src/server-process.ts';
import { openInPlace } from './in-place.ts';
import type { Pair, Side } from './life.ts';
import type { OrdersOptions } from './options.ts';
import { overHttp, type Post, poster } from './over-http.ts';

export interface Stage {
  readonly sides: { readonly http: Side; readonly inPlace: Side };
  readonly pairs: readonly Pair[];
  /** As the owner of the tables. */
  readonly monitor: Client;
  readonly databaseUrl: string;
  readonly sandbox: string;
  /** Who uses the processor; this process is client of one side and all of the other. */
  readonly pids: Readonly<Record<string, number>>;
  /** Resolves when nothing is driven any more, so that one side pays for none of the other's. */
  rested(): Promise<void>;
  stop(): Promise<void>;
}

/** Much more than all lives together take. */
const FUNDS = '90000.00';
const REST_MS_MAX = 120_000;

export async function openStage(options: OrdersOptions): Promise<Stage> {
  const sandbox = await startServerProcess('sandbox', {}, 'ignore', ['--port', '0']);
  const facts = sandbox.said as unknown as SandboxFacts;
  const shared = { ...sandboxEnvironment(facts), ...settings(options) };
  let set: LocalSet | undefined;
  const monitor: Client[] = [];
  const closing: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const close of closing) await close();
    for (const each of monitor) await each.end().catch(() => undefined);
    await set?.stop();
    await sandbox.kill('SIGTERM');
  };
  try {
    const { workers } = options;
    set = await startLocalSet({
      port: 0,
      workers,
      sandbox: false,
      engine: true,
      quiet: true,
      env: shared,
    });
    await Promise.all([fundHouse(sandbox.url, set.databaseUrl), set.engine?.served()]);
    const { api: url, apiKey: key, escrowWebhookSecret } = set.ready;
    if (options.hasWebhooks) await sendWebhooks(sandbox.url, url, { escrow: escrowWebhookSecret });
    const client = new Client({ connectionString: set.databaseUrl });
    monitor.push(client);
    await client.connect();
    const inPlace = await openInPlace({ ...shared, ...ownSettings(set.databaseUrl) }, key);
    closing.push(() => inPlace.close());
    const post = poster({ url, key });
    return {
      sides: { http: overHttp(post), inPlace: inPlace.side },
      pairs: await makePairs(post, options.pairs),
      monitor: client,
      databaseUrl: set.databaseUrl,
      sandbox: sandbox.url,
      pids: pidsOf(set, sandbox.pid),
      rested: () => rested(client),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The same for all processes of the service and for the baseline. */
function settings({ isProfiled }: OrdersOptions): Record<string, string> {
  return {
    HOLDFAST_RATE_LIMIT: 'off',
    HOLDFAST_LOG_LEVEL: 'warn',
    // On a busy machine both sides are slow; neither should give up.
    HOLDFAST_POOL_WAIT_MS: '20000',
    HOLDFAST_REQUEST_DEADLINE: '300',
    HOLDFAST_WALLET_KEYS: `v1:${randomBytes(32).toString('base64')}`,
    ...(isProfiled ? { NODE_OPTIONS: '--inspect-port=0' } : {}),
  };
}

/** What a local set decides by itself. */
function ownSettings(databaseUrl: string): Record<string, string> {
  return {
    NODE_ENV: 'development',
    DATABASE_URL: databaseUrl,
    HOLDFAST_DATABASE_ROLE: 'holdfast_app',
    HOLDFAST_MASTER_KEY_HASH: hash('sha256', randomUUID(), 'hex'),
    HOLDFAST_TOKEN_SECRET: randomUUID(),
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

async function makePairs(post: Post, count: number): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let number = 1; number <= count; number += 1) {
    const buyerId = await makeUser(post);
    await post(`/users/${buyerId}/balance/credit`, { amount: FUNDS });
    pairs.push({ buyerId, sellerId: await makeUser(post) });
  }
  return pairs;
}

async function makeUser(post: Post): Promise<string> {
  const name = randomUUID();
  const email = `${name}@example.test`;
  const { id } = await post('/users', { externalUserId: name, email });
  await post(`/users/${String(id)}/payment-account/link`, { email });
  return String(id);
}

async function rested(monitor: Client): Promise<void> {
  const deadline = performance.now() + REST_MS_MAX;
  for (;;) {
    const { rows } = await monitor.query<{ open: number }>(
      `select (select count(*) from operation_open)::int + (select count(*) from outbox)::int as open`,
    );
    if (rows[0]?.open === 0) return;
    if (performance.now() > deadline) throw new Error(`${rows[0]?.open} things are still moving`);
    await sleep(100);
  }
}
