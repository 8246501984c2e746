//! The only file that constructs components: configuration in, the parts of the process out.
import type { Clock } from '@holdfast/kernel/clock';
import { systemClock } from '@holdfast/kernel/clock';
import { randomBytes } from '@holdfast/kernel/random';
import type pg from 'pg';
import { Authenticator } from '../access/keys/authenticate.ts';
import { type TokenKey, tokenKey } from '../access/keys/token.ts';
import type { OperatorAuth } from '../access/operators/operator-auth.ts';
import type { RefusedSignIns } from '../access/operators/refused-sign-ins.ts';
import { AccountNumbers } from '../accounts/books/account.ts';
import { PostingQueue } from '../accounts/books/posting-queue.ts';
import { type Counter, memoryCounter, redisCounter } from '../api/http/rate-limit.ts';
import { Streams } from '../api/http/streams.ts';
import { RecentWrites } from '../assurance/recovery/recent-writes.ts';
import { type Engine, noEngine } from '../engine/engine.ts';
import { RestateEngine } from '../engine/restate-client.ts';
import type { MemberAuth } from '../members/account/member-auth.ts';
import type { Caller } from '../platform/call.ts';
import type { Config } from '../platform/config/config.ts';
import { featuresOf } from '../platform/config/features.ts';
import type { Environment } from '../platform/config/settings.ts';
import { VERSION } from '../platform/config/version.ts';
import { connectionSettings, openPool } from '../platform/database/database.ts';
import { isLineageOpen } from '../platform/database/lineage.ts';
import type { Transactor } from '../platform/database/transact.ts';
import { openWriteProbe } from '../platform/database/write-probe.ts';
import { armFailpoint } from '../platform/process/failpoint.ts';
import { type Health, type Probe, watchHealth } from '../platform/process/health.ts';
import { createLog, type Log } from '../platform/process/log.ts';
import { trackWorldClock } from '../platform/process/world-clock.ts';
import type { EscrowProvider } from '../providers/escrow/escrow-provider.ts';
import type { LedgerNetwork } from '../providers/network/ledger-network.ts';
import type { PaymentProvider } from '../providers/payments/payment-provider.ts';
import { reachable } from '../providers/reachable.http.ts';
import { localKeyWrapper } from '../providers/signing/key-wrapper.ts';
import type { AuditExport } from '../record/audit/export-audit.ts';
import { EventHub } from '../record/events/hub.ts';
import { postgresListener, redisListener } from '../record/events/notifier.ts';
import { Egress } from '../webhooks/outgoing/egress.ts';
import type { Webhooks } from '../webhooks/outgoing/webhook-app.ts';
import { wireAuditExport } from './wire-audit-export.ts';
import { wireAuth } from './wire-auth.ts';
import { type ConsoleDeps, wireConsole } from './wire-console.ts';
import { wireEscrows, wireNetwork, wirePayments } from './wire-providers.ts';

export interface App extends ConsoleDeps {
  readonly config: Config;
  readonly environment: Environment;
  readonly version: string;
  readonly cell: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly pool: pg.Pool;
  readonly tokens: TokenKey;
  readonly authenticator: Authenticator;
  readonly accounts: AccountNumbers;
  readonly postings: PostingQueue;
  readonly counter: Counter;
  readonly health: Health;
  readonly hub: EventHub;
  readonly streams: Streams;
  readonly engine: Engine;
  readonly webhooks: Webhooks;
  /** Undefined where none is configured: operations that need it are refused. */
  readonly network: LedgerNetwork | undefined;
  readonly escrows: EscrowProvider | undefined;
  readonly payments: PaymentProvider | undefined;
  /** Undefined where no marketplace is named for members: Surface B is not served then. */
  readonly members: MemberAuth | undefined;
  readonly operators: OperatorAuth;
  /** Of a worker, where an archive is configured. */
  readonly auditExport: AuditExport | undefined;
  readonly refusedSignIns: RefusedSignIns;
  readonly writes: RecentWrites;
  readonly requestsPerMinute: number;
  readonly features: Readonly<Record<string, boolean>>;
  close(): Promise<void>;
}

/** The machine's clock, or in development the sandbox's. */
export async function clockOf({ HOLDFAST_SANDBOX_URL: sandbox }: Config): Promise<Clock> {
  return sandbox === undefined ? systemClock : trackWorldClock(sandbox);
}

export function wire(config: Config, role: 'api' | 'worker', clock: Clock = systemClock): App {
  const log = createLog(config.HOLDFAST_LOG_LEVEL, role);
  if (config.HOLDFAST_FAILPOINT !== undefined) armFailpoint(config.HOLDFAST_FAILPOINT);
  const pool = openPool(config, log);
  const { tokenSecret, masterKeyHash } = callerSecrets(config);
  const tokens = tokenKey(tokenSecret, clock);
  const counter = wireCounter(config, clock, log);
  const authenticator = new Authenticator({ pool, clock, log, tokens, masterKeyHash });
  const postings = wirePostings(config, clock, log);
  const engine = wireEngine(config, { pool, clock, log });
  const probe = openWriteProbe(config, log);
  const needed = { database: () => probe.isWritable() };
  const health = wireHealth(clock, needed, {
    redis: async () => (config.REDIS_URL === undefined ? null : counter.isUp()),
    engine: () => engine.isUp(),
    history: () => isLineageOpen(pool),
    paymentProvider: reachable(config.HOLDFAST_PAYMENT_PROVIDER_URL),
    escrowProvider: reachable(config.HOLDFAST_ESCROW_PROVIDER_URL),
    ledgerNetwork: reachable(config.HOLDFAST_HORIZON_URL),
  });
  const hub = wireHub(config, { pool, clock, log });
  const auth = wireAuth(config, { pool, clock, log });
  const forConsole = wireConsole(config, { pool, clock, log });
  const streams = wireStreams(config, { clock, log }, authenticator, auth.operators);
  const webhooks = wireWebhooks(config);
  const writes = wireWrites({ pool, clock, log }, hub, streams);
  const limit = config.HOLDFAST_RATE_LIMIT;
  return {
    ...forConsole,
    ...auth,
    config,
    log,
    pool,
    clock,
    tokens,
    authenticator,
    postings,
    counter,
    health,
    hub,
    streams,
    engine,
    webhooks,
    writes,
    environment: config.NODE_ENV,
    version: VERSION,
    cell: config.HOLDFAST_CELL,
    accounts: new AccountNumbers(pool, clock),
    network: wireNetwork(config, clock, log),
    escrows: wireEscrows(config, clock, log),
    payments: wirePayments(config, clock, log),
    requestsPerMinute: typeof limit === 'number' ? limit : 0,
    features: featuresOf(config),
    auditExport: role === 'worker' ? wireAuditExport(config) : undefined,
    close: async () => {
      await engine.close();
      webhooks.egress.close();
      await hub.close();
      await postings.close();
      await Promise.all(
        [writes, forConsole.requests, auth.refusedSignIns].map((each) => each.close()),
      );
      await authenticator.close();
      await counter.close();
      await probe.close();
      await pool.end();
    },
  };
}

/** True where Surface B is served. */
export function hasMembers(app: App): app is App & { readonly members: MemberAuth } {
  return app.members !== undefined;
}

/** Identifies the bearer of a token, on either surface. */
export async function identify(
  { authenticator, members }: Pick<App, 'authenticator' | 'members'>,
  bearer: string,
  address: string,
): Promise<Caller | undefined> {
  return (await authenticator.identify(bearer, address)) ?? members?.identify(bearer);
}

/** A worker has neither, since it identifies no caller: random ones match nothing. */
function callerSecrets(config: Config) {
  const unknown = Buffer.from(randomBytes(32)).toString('hex');
  const { HOLDFAST_TOKEN_SECRET: tokenSecret = unknown } = config;
  const { HOLDFAST_MASTER_KEY_HASH: masterKeyHash = unknown } = config;
  return { tokenSecret, masterKeyHash };
}

function wireCounter({ REDIS_URL: url }: Config, clock: Clock, log: Log): Counter {
  return url === undefined ? memoryCounter(clock) : redisCounter(url, clock, log);
}

function wirePostings(config: Config, clock: Clock, log: Log): PostingQueue {
  return new PostingQueue({
    connection: connectionSettings(config),
    connections: config.HOLDFAST_POSTING_CONNECTIONS,
    batchMax: config.HOLDFAST_POSTING_BATCH_MAX,
    queueMax: config.HOLDFAST_POSTING_QUEUE_MAX,
    defaultLimit: config.HOLDFAST_ADJUSTMENT_LIMIT ?? null,
    clock,
    log,
  });
}

/**
 * Without its engine a process still serves every request that needs no provider, and without Redis
 * every request: it stays ready.
 */
function wireHealth(
  clock: Clock,
  needed: Readonly<Record<string, Probe>>,
  others: Readonly<Record<string, Probe>>,
): Health {
  const all = watchHealth(VERSION, clock, { ...needed, ...others });
  const ready = watchHealth(VERSION, clock, needed, READY_CACHE_MS);
  return { check: () => all.check(), isReady: () => ready.isReady() };
}

/** Probes come every two seconds; a lost database must show in the next. */
const READY_CACHE_MS = 500;

function wireEngine(config: Config, deps: Transactor): Engine {
  const { HOLDFAST_ENGINE_INGRESS_URL: ingressUrl, HOLDFAST_CELL: cell } = config;
  if (ingressUrl === undefined) return noEngine;
  const deadlineMs = config.HOLDFAST_REQUEST_DEADLINE * 1000;
  return new RestateEngine(deps, { ingressUrl, cell, deadlineMs });
}

function wireHub(config: Config, deps: Transactor): EventHub {
  const { REDIS_URL: redisUrl, HOLDFAST_CELL: cell } = config;
  return new EventHub({
    ...deps,
    listen: (onNotification) =>
      redisUrl === undefined
        ? postgresListener(connectionSettings(config), deps.log, onNotification)
        : redisListener(redisUrl, cell, deps.log, onNotification),
  });
}

function wireStreams(
  config: Config,
  deps: { readonly clock: Clock; readonly log: Log },
  authenticator: Authenticator,
  operators: OperatorAuth,
): Streams {
  return new Streams({
    ...deps,
    perKeyMax: config.HOLDFAST_STREAMS_PER_KEY,
    max: config.HOLDFAST_STREAMS_MAX,
    stallMs: config.HOLDFAST_STREAM_STALL_MS,
    endedKeys: (ids) => authenticator.endedKeys(ids),
    endedMemberships: (memberships) => operators.endedMemberships(memberships),
  });
}

/** In another history the events after a failover have the positions of those that are lost. */
function wireWrites(deps: Transactor, hub: EventHub, streams: Streams): RecentWrites {
  const onHistoryChange = () => {
    hub.dropFeeds();
    streams.disconnect();
  };
  return new RecentWrites({ ...deps, onHistoryChange });
}

/** Excludes the wallet keys: the api process seals these, and must not be able to open those. */
function wireWebhooks(config: Config): Webhooks {
  const { HOLDFAST_WEBHOOK_KEYS: keys, HOLDFAST_WEBHOOK_LOOPBACK: loopback } = config;
  return {
    keys: keys === undefined ? undefined : localKeyWrapper(keys),
    egress: new Egress({ allowsLoopback: loopback === 'allow' }),
  };
}
