//! Rate limits: a count per bucket and window, shared through Redis or kept in this process.
import type { Clock, Instant } from '@holdfast/kernel/clock';
import { Redis } from 'ioredis';
import type { Log } from '../../platform/process/log.ts';
import { reportCluster } from '../../platform/redis.ts';
import { count as countMetric } from '../../platform/telemetry/metrics.ts';
import { WindowCounts } from '../../platform/window-counts.ts';

export const WINDOW_SECONDS = 60;

export interface Tally {
  readonly count: number;
  readonly resetAt: Instant;
}

/** Counts one more in a bucket. Synchronous in memory; over Redis after its reply. */
export interface Counter {
  add(bucket: string): Tally | Promise<Tally>;
  isUp(): boolean;
  /** How many were counted in this process since it started because Redis could not be used. */
  fallbacks(): number;
  close(): Promise<void>;
}

interface LocalCounter extends Counter {
  add(bucket: string): Tally;
}

/**
 * A bucket's name starts with its kind, and each kind has room of its own: a million addresses do
 * not push a key out. Where one kind has too many buckets, further ones are counted together.
 */
export function memoryCounter(clock: Clock, bucketsMax?: number): LocalCounter {
  const kinds = new Map<string, WindowCounts>();
  const countsOf = (kind: string) => {
    const counts = new WindowCounts(clock, WINDOW_SECONDS * 1000, bucketsMax);
    kinds.set(kind, counts);
    return counts;
  };
  return {
    add(bucket) {
      const kind = bucket.slice(0, bucket.indexOf(':'));
      const tally = (kinds.get(kind) ?? countsOf(kind)).of(bucket);
      tally.count += 1;
      return tally;
    },
    isUp: () => true,
    fallbacks: () => 0,
    close: async () => kinds.clear(),
  };
}

/** Counts many buckets in one round trip: increments, starts windows, returns the time left. */
const COUNT_SCRIPT = `
local counts = {}
for i, key in ipairs(KEYS) do
  local count = redis.call('INCRBY', key, ARGV[i + 1])
  if count == tonumber(ARGV[i + 1]) then redis.call('PEXPIRE', key, ARGV[1]) end
  local left = redis.call('PTTL', key)
  if left < 0 then redis.call('PEXPIRE', key, ARGV[1]) left = tonumber(ARGV[1]) end
  counts[#counts + 1] = count
  counts[#counts + 1] = left
end
return counts`;

type CountingRedis = Redis & {
  countBuckets(keys: number, ...args: (string | number)[]): Promise<number[]>;
};

interface PendingCount {
  adds: number;
  readonly waiting: ((tally: Tally) => void)[];
}

/** How long a request waits for a Redis that does not reply. */
const REPLY_MS_MAX = 250;
/** For this long after a failure, no request waits for Redis. */
const SKIPPED_MS = 1000;

/**
 * Shared counts. Counts within one iteration of the event loop share one call. While Redis is down
 * this process counts locally, twice for each request: half the limit, since other processes count
 * too.
 */
export function redisCounter(url: string, clock: Clock, log: Log): Counter {
  const redis = new Redis(url, {
    maxRetriesPerRequest: 1,
    commandTimeout: REPLY_MS_MAX,
    enableOfflineQueue: false,
    lazyConnect: false,
  }) as CountingRedis;
  redis.defineCommand('countBuckets', { lua: COUNT_SCRIPT });
  redis.on('error', (error: Error) => log.warn({ err: error }, 'redis error'));
  redis.on('ready', () => void reportCluster(redis, log));
  const local = memoryCounter(clock);
  let pending = new Map<string, PendingCount>();
  let fallbacks = 0;
  let skippedUntil = 0;

  const flush = async () => {
    const batch = pending;
    pending = new Map();
    const entries = [...batch];
    try {
      if (performance.now() < skippedUntil) throw new Error('Redis failed a moment ago');
      const names = entries.map(([bucket]) => `holdfast:rate:${bucket}`);
      const adds = entries.map(([, { adds }]) => adds);
      const counts = await redis.countBuckets(
        names.length,
        ...names,
        WINDOW_SECONDS * 1000,
        ...adds,
      );
      for (const [at, [, { waiting }]] of entries.entries()) {
        const [count, left] = [counts[2 * at] as number, counts[2 * at + 1] as number];
        const resetAt = clock.now() + left;
        for (const [index, resolve] of waiting.entries())
          resolve({ count: count - waiting.length + index + 1, resetAt });
      }
    } catch {
      // A connection that is known to be lost costs no time.
      if (redis.status === 'ready' && performance.now() >= skippedUntil)
        skippedUntil = performance.now() + SKIPPED_MS;
      for (const [bucket, { waiting }] of entries) {
        fallbacks += waiting.length;
        for (const resolve of waiting) {
          local.add(bucket);
          countMetric('holdfast_rate_limit_fallback_total', {});
          resolve({ ...local.add(bucket) });
        }
      }
    }
  };

  return {
    add(bucket) {
      if (pending.size === 0) setImmediate(() => void flush());
      const entry = pending.get(bucket) ?? { adds: 0, waiting: [] };
      entry.adds += 1;
      pending.set(bucket, entry);
      return new Promise((resolve) => entry.waiting.push(resolve));
    },
    isUp: () => redis.status === 'ready' && performance.now() >= skippedUntil,
    fallbacks: () => fallbacks,
    close: async () => {
      redis.disconnect();
    },
  };
}

export interface RateLimitResult {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Unix time in seconds. */
  readonly resetAt: number;
  readonly retryAfter: number;
}

export function rateLimitResult(tally: Tally, limit: number, now: Instant): RateLimitResult {
  return {
    allowed: tally.count <= limit,
    limit,
    remaining: Math.max(0, limit - tally.count),
    resetAt: Math.ceil(tally.resetAt / 1000),
    retryAfter: Math.max(1, Math.ceil((tally.resetAt - now) / 1000)),
  };
}

/** One bucket per IPv6 network, since a single host has a whole /64 to choose from. */
export function addressBucket(address: string): string {
  if (!address.includes(':')) return `ip:${address}`;
  // Most have their first four groups in full.
  const network = /^[^:]+:[^:]+:[^:]+:[^:]+(?=:)/.exec(address)?.[0];
  if (network !== undefined) return `ip:${network}::/64`;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped) return `ip:${mapped[1]}`;
  const [head = '', tail] = address.split('%', 1)[0]?.split('::') ?? [];
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  while (groups.length + after.length < 8) groups.push('0');
  return `ip:${[...groups, ...after].slice(0, 4).join(':')}::/64`;
}
