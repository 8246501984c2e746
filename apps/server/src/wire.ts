//! The only place where things are constructed: configuration in, the process's parts out.
import type { Clock } from '@holdfast/kernel/clock';
import { systemClock } from '@holdfast/kernel/clock';
import type pg from 'pg';
import { Authenticator } from './access/authenticate.ts';
import { type TokenKey, tokenKey } from './access/token.ts';
import { AccountNumbers } from './books/account.ts';
import { PostingQueue } from './books/posting-queue.ts';
import type { Config } from './config.ts';
import { type Counter, memoryCounter, redisCounter } from './http/rate-limit.ts';
import { connectionSettings, isWritable, openPool } from './platform/database.ts';
import { type Health, watchHealth } from './platform/health.ts';
import { type Log, makeLog } from './platform/log.ts';
import type { Environment } from './settings.ts';
import { VERSION } from './version.ts';

export interface App {
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
  readonly requestsPerMinute: number;
  readonly features: Readonly<Record<string, boolean>>;
  close(): Promise<void>;
}

export function wire(config: Config, role: 'api' | 'worker', clock: Clock = systemClock): App {
  const log = makeLog(config.HOLDFAST_LOG_LEVEL, role);
  const pool = openPool(config, log);
  const tokens = tokenKey(config.HOLDFAST_TOKEN_SECRET, clock);
  const counter =
    config.REDIS_URL === undefined
      ? memoryCounter(clock)
      : redisCounter(config.REDIS_URL, clock, log);
  const authenticator = new Authenticator({
    pool,
    clock,
    log,
    tokens,
    masterKeyHash: config.HOLDFAST_MASTER_KEY_HASH,
  });
  const postings = new PostingQueue({
    connection: connectionSettings(config),
    connections: config.HOLDFAST_POSTING_CONNECTIONS,
    batchMax: config.HOLDFAST_POSTING_BATCH_MAX,
    queueMax: config.HOLDFAST_POSTING_QUEUE_MAX,
    defaultLimit: config.HOLDFAST_ADJUSTMENT_LIMIT ?? null,
    clock,
    log,
  });
  const health = watchHealth(VERSION, clock, {
    database: () => isWritable(pool),
    redis: async () => (config.REDIS_URL === undefined ? null : counter.isUp()),
  });
  const limit = config.HOLDFAST_RATE_LIMIT;
  return {
    config,
    log,
    pool,
    clock,
    tokens,
    authenticator,
    postings,
    counter,
    health,
    environment: config.NODE_ENV,
    version: VERSION,
    cell: config.HOLDFAST_CELL,
    accounts: new AccountNumbers(pool, clock),
    requestsPerMinute: typeof limit === 'number' ? limit : 0,
    features: {
      balances: true,
      orders: false,
      topups: false,
      withdrawals: false,
      events: false,
      surfaceB: false,
    },
    close: async () => {
      await postings.close();
      await authenticator.close();
      await counter.close();
      await pool.end();
    },
  };
}
