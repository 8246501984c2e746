//! Restate and Redis are lost while an order is released, and Restate comes back without its data.
import { call } from '../../../harness/api.ts';
import { armFault, clearFaults } from '../../../harness/sandbox.ts';
import { needed } from '../../../harness/set.ts';
import { type Situation, until } from '../situation.ts';
import { createOrder } from './orders.ts';

export const restateOrRedis: Situation = {
  start: async (one) => {
    const { set, marketplace } = one;
    const id = await createOrder(one);
    const target = { api: set.api, apiKey: marketplace.key };
    // In progress when Restate is lost.
    const fault = { provider: 'escrow', operation: 'release', kind: 'drop-before', times: 40 };
    await armFault(set.sandbox, fault);
    await call(target, { path: `/orders/${id}/resolution/release`, method: 'POST' });
    await Promise.all([
      needed(set.engine, 'Restate').kill('SIGKILL'),
      needed(set.redis, 'Redis').kill(),
    ]);
    await clearFaults(set.sandbox);
    await until(async () => {
      const { data } = await call(target, { path: '/health/detailed' });
      const { checks } = data as { checks: Record<string, { status: string }> };
      return checks['engine']?.status === 'down' && checks['redis']?.status === 'down';
    });
    return { REDIS_URL: needed(set.redis, 'Redis').url };
  },
  before: {
    Check: async ({ set }) => {
      await needed(set.engine, 'Restate').start({ wiped: true });
      await needed(set.redis, 'Redis').restart();
    },
  },
};
