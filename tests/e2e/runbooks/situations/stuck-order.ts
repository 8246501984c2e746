//! The escrow provider refuses a release after the first of two milestones was paid.
import { call } from '../../../harness/api.ts';
import { milestonesOf } from '../../../harness/orders.ts';
import { createPair } from '../../../harness/people.ts';
import { armFault, clearFaults } from '../../../harness/sandbox.ts';
import { read, type Situation, until } from '../situation.ts';

export const stuckOrder: Situation = {
  start: async (one) => {
    const { post, set, marketplace } = one;
    const pair = await createPair(post, '200.00');
    const milestones = milestonesOf(['40.00', '60.00']);
    const order = await post('/orders', {
      ...pair,
      amount: '100.00',
      title: 'A table',
      milestones,
    });
    const path = `/orders/${String(order['id'])}`;
    for (const step of ['reserve', 'escrow', 'escrow/fund']) await post(`${path}/${step}`);
    for (const { ref } of milestones) await post(`${path}/milestones/${ref}/complete`);
    const fault = { provider: 'escrow', operation: 'release' };
    await armFault(set.sandbox, { ...fault, kind: 'drop-after', times: 1 });
    await armFault(set.sandbox, { ...fault, kind: 'reject', times: 40 });
    const target = { api: set.api, apiKey: marketplace.key };
    await call(target, { path: `${path}/resolution/release`, method: 'POST' });
    await until(async () => (await read(one, '/operations?status=ESCALATED')).length > 0);
    return { ORDER: String(order['id']) };
  },
  before: { Repair: ({ set }) => clearFaults(set.sandbox) },
};
