//! Restate and Redis are lost, and Restate comes back without its data.
import { call } from '../../../harness/api.ts';
import { needed } from '../../../harness/set.ts';
import { type Situation, until } from '../situation.ts';

export const restateOrRedis: Situation = {
  start: async ({ set, marketplace }) => {
    const redis = needed(set.redis, 'Redis');
    await Promise.all([needed(set.engine, 'Restate').kill('SIGKILL'), redis.kill()]);
    const target = { api: set.api, apiKey: marketplace.key };
    await until(async () => {
      const { data } = await call(target, { path: '/health/detailed' });
      const { checks } = data as { checks: Record<string, { status: string }> };
      return checks['engine']?.status === 'down' && checks['redis']?.status === 'down';
    });
    return { REDIS_URL: redis.url };
  },
  before: {
    Check: async ({ set }) => {
      await needed(set.engine, 'Restate').start({ wiped: true });
      await needed(set.redis, 'Redis').restart();
    },
  },
};
