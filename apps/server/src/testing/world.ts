//! A world for one test file: its own database, the real server, and callers for it.
import { randomUUID } from 'node:crypto';
import { type Clock, systemClock } from '@holdfast/kernel/clock';
import type { ApiKeyId, MarketplaceId, UserId } from '@holdfast/kernel/ids';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import { inject } from 'vitest';
import { createApiKey, type NewApiKey } from '../access/keys/create-api-key.ts';
import { secretHash } from '../access/keys/key-text.ts';
import { openMemberMarketplace } from '../access/marketplaces/open-member-marketplace.ts';
import { createUser } from '../accounts/users/create-user.ts';
import { buildServer } from '../api/http/server.ts';
import { serveSurfaceA } from '../api/surface-a/routes.ts';
import { serveSurfaceB } from '../api/surface-b/routes.ts';
import { type App, hasMembers, identify, wire } from '../app/wire.ts';
import type { Call, KeyActor, MasterActor } from '../platform/call.ts';
import { readConfig } from '../platform/config/config.ts';
import { connectionSettings } from '../platform/database/database.ts';
import { SHARDS } from '../record/events/outbox-item.ts';
import { newLeader, sequenceBatch } from '../record/events/sequence-batch.ts';
import { BATCH_MAX } from '../record/events/sequencer.ts';
import { reuseCompiled, saveCompilers } from './compiled-once.ts';
import { cloneTemplate, dropSoon } from './database/test-database.ts';

const MASTER_KEY = 'hfm_for-tests-only';

export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  readonly text: string;
  // oxlint-disable typescript/no-explicit-any
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any response.
  readonly json: any;
  // oxlint-enable typescript/no-explicit-any
}

export interface Sending {
  readonly key?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** A marketplace with a key, and the call it makes. */
export interface Market {
  readonly key: string;
  readonly keyId: ApiKeyId;
  readonly id: MarketplaceId;
  readonly call: Call<KeyActor>;
  user(): Promise<UserId>;
  /** Over the wire. */
  send(method: string, path: string, sending?: Omit<Sending, 'key'>): Promise<ApiResponse>;
}

export interface World {
  readonly app: App;
  /** The same deployment as a worker has it: with the worker's login. Jobs and sagas run here. */
  readonly worker: App;
  readonly http: FastifyInstance;
  readonly masterKey: string;
  /** As the owner of the tables, past row-level security. */
  readonly databaseUrl: string;
  send(method: string, path: string, sending?: Sending): Promise<ApiResponse>;
  market(options?: Partial<NewApiKey>): Promise<Market>;
  /** Sequences all waiting events, as the worker's sequencer does. */
  sequence(): Promise<void>;
  /** Rows as the owner sees them. */
  rows<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

export interface WorldOptions {
  readonly env?: Record<string, string>;
  readonly clock?: Clock;
}

export async function openWorld({
  env = {},
  clock = systemClock,
}: WorldOptions = {}): Promise<World> {
  const adminUrl = inject('adminUrl');
  const url = await cloneTemplate(adminUrl, inject('template'));
  const config = readConfig(
    {
      NODE_ENV: 'development',
      DATABASE_URL: url.href,
      HOLDFAST_DATABASE_ROLE: 'holdfast_api',
      HOLDFAST_MASTER_KEY_HASH: secretHash(MASTER_KEY),
      HOLDFAST_TOKEN_SECRET: 'a secret for tests that is long enough',
      HOLDFAST_WEBHOOK_KEYS: `v1:${Buffer.alloc(32, 9).toString('base64')}`,
      HOLDFAST_LOG_LEVEL: 'silent',
      HOLDFAST_RATE_LIMIT: '100000',
      HOLDFAST_MASTER_RATE_LIMIT: '100000',
      HOLDFAST_POOL_SIZE: '8',
      // Tests must not depend on how busy the machine is.
      HOLDFAST_POOL_WAIT_MS: '20000',
      ...env,
    },
    'api',
  );
  const app = wire(config, 'api', clock);
  const ofWorker = { ...config, HOLDFAST_DATABASE_ROLE: 'holdfast_worker' };
  const worker = wire(ofWorker, 'worker', clock);
  const http = buildServer({ ...app, identify: (...sent) => identify(app, ...sent) });
  reuseCompiled(http);
  serveSurfaceA(http, app);
  if (hasMembers(app)) {
    await openMemberMarketplace(app, app.members.marketplaceId);
    serveSurfaceB(http, app);
  }
  await http.ready();
  saveCompilers(http);
  const owner = new pg.Pool({ connectionString: url.href, max: 2 });
  const role = 'holdfast_sequencer';
  const sequencer = new pg.Pool({ ...connectionSettings(config, { role }), max: 1 });
  // Tests end connections on purpose, an idle one of ours among them.
  for (const pool of [owner, sequencer]) pool.on('error', () => undefined);
  const send = (method: string, path: string, sending: Sending = {}) =>
    sendTo(http, method, path, sending);
  return {
    app,
    worker,
    http,
    send,
    masterKey: MASTER_KEY,
    databaseUrl: url.href,
    market: (options) => openMarket(app, send, options),
    sequence: () => sequenceAll(sequencer, clock),
    rows: async (text, values = []) => (await owner.query(text, values)).rows,
    close: async () => {
      await http.close();
      await Promise.all([app.close(), worker.close()]);
      await Promise.all([owner.end(), sequencer.end()]);
      await dropSoon(adminUrl, url);
    },
  };
}

/** A call with the master key. */
export function masterCall(): Call<MasterActor> {
  const actor = { kind: 'master', id: 'master' } as const;
  return { actor, requestId: randomUUID(), idempotency: undefined };
}

async function openMarket(
  app: App,
  send: World['send'],
  options: Partial<NewApiKey> = {},
): Promise<Market> {
  const created = await createApiKey(app, masterCall(), {
    name: 'tests',
    scopes: ['read', 'write', 'support'],
    ...options,
  });
  const { id, familyId, name, scopes, marketplaceId, marketplace } = created.key;
  const actor: KeyActor = {
    kind: 'key',
    requestsPerMinute: null,
    id,
    familyId,
    name,
    scopes,
    marketplaceId,
    marketplace,
    tokenUntil: null,
  };
  const { secret = '' } = created;
  const call: Call<KeyActor> = {
    actor,
    idempotency: undefined,
    get requestId() {
      return randomUUID();
    },
  };
  return {
    key: secret,
    keyId: id,
    id: marketplaceId,
    call,
    user: async () => (await createUser(app, call, { externalUserId: randomUUID() })).user.id,
    send: (method, path, sending = {}) => send(method, path, { ...sending, key: secret }),
  };
}

async function sendTo(
  http: FastifyInstance,
  method: string,
  path: string,
  { key, body, headers = {} }: Sending,
): Promise<ApiResponse> {
  const response = await http.inject({
    method: method as 'GET',
    url: `/api/v1${path}`,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined
      ? {}
      : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return {
    status: response.statusCode,
    headers: response.headers,
    text: response.body,
    json: safeJson(response.body),
  };
}

async function sequenceAll(pool: pg.Pool, clock: Clock): Promise<void> {
  const client = await pool.connect();
  const shards = Array.from({ length: SHARDS }, (_, shard) => shard);
  try {
    const leader = newLeader({ client, clock, shards });
    while ((await sequenceBatch(leader, BATCH_MAX)).sequenced === BATCH_MAX);
  } finally {
    client.release();
  }
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
