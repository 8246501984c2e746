//! What a process has to know of its Redis: it may be absent, but must be a single node.
import { Redis } from 'ioredis';
import type { Log } from './process/log.ts';
import { StartFault } from './process/start-fault.ts';

const START_MS_MAX = 2000;

const CLUSTER =
  'REDIS_URL names a node of a Redis Cluster, which Holdfast does not use: it counts several keys in ' +
  'one call, and a cluster spreads them over its nodes. Name a Redis or Valkey without cluster mode';

/** Refuses a cluster. A Redis that is not there is not waited for: it may come later. */
export async function checkRedis(url: string | undefined): Promise<void> {
  if (url === undefined) return;
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: START_MS_MAX,
    commandTimeout: START_MS_MAX,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  redis.on('error', () => undefined);
  try {
    await redis.connect().catch(() => undefined);
    if (await isCluster(redis)) throw new StartFault(CLUSTER);
  } finally {
    redis.disconnect();
  }
}

/** For a Redis that came after the start. A cluster refuses the calls, so they count as failed. */
export async function reportCluster(redis: Redis, log: Log): Promise<void> {
  if (await isCluster(redis)) log.error({ reason: CLUSTER }, 'redis cluster refused');
}

/** False where it is not known: a login may lack the right to read it. */
async function isCluster(redis: Redis): Promise<boolean> {
  const info = await redis.info('cluster').catch(() => '');
  return /^cluster_enabled:1\s*$/m.test(info);
}
