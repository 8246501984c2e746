//! A release was signed, and the escrow provider has not sent it to the network.
import { call } from '../../../harness/api.ts';
import { armFault, clearFaults } from '../../../harness/sandbox.ts';
import { read, type Situation, until } from '../situation.ts';
import { createOrder } from './orders.ts';

export const openOutcomes: Situation = {
  start: async (one) => {
    const { set, marketplace } = one;
    const id = await createOrder(one);
    const fault = { provider: 'escrow', operation: 'release', kind: 'drop-before', times: 40 };
    await armFault(set.sandbox, fault);
    const target = { api: set.api, apiKey: marketplace.key };
    await call(target, { path: `/orders/${id}/resolution/release`, method: 'POST' });
    const path = '/operations?status=RUNNING';
    await until(async () => (await read(one, path)).some(({ attempts }) => Number(attempts) > 1));
    return {};
  },
  before: { Repair: ({ set }) => clearFaults(set.sandbox) },
};
