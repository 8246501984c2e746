//! The escrow provider refuses a release after the first of two milestones was paid.
import { call } from '../../../harness/api.ts';
import { armFault, clearFaults } from '../../../harness/sandbox.ts';
import { read, type Situation, until } from '../situation.ts';
import { createOrder } from './orders.ts';

export const stuckOrder: Situation = {
  start: async (one) => {
    const { set, marketplace } = one;
    const id = await createOrder(one, ['40.00', '60.00']);
    const fault = { provider: 'escrow', operation: 'release' };
    await armFault(set.sandbox, { ...fault, kind: 'drop-after', times: 1 });
    await armFault(set.sandbox, { ...fault, kind: 'reject', times: 40 });
    const target = { api: set.api, apiKey: marketplace.key };
    await call(target, { path: `/orders/${id}/resolution/release`, method: 'POST' });
    await until(async () => (await read(one, '/operations?status=ESCALATED')).length > 0);
    return { ORDER: id };
  },
  before: { Repair: ({ set }) => clearFaults(set.sandbox) },
};
