//! The payment provider does not reply, and two payouts are on their way to it.
import { call } from '../../../harness/api.ts';
import { createPerson } from '../../../harness/people.ts';
import { armFault, clearFaults } from '../../../harness/sandbox.ts';
import { type Case, read, type Situation, until } from '../situation.ts';

const CALLS = 40;

export const providerDown: Situation = {
  start: async (one) => {
    const { set } = one;
    const fault = { provider: 'payment', operation: 'payout.create', kind: 'drop-before' };
    await armFault(set.sandbox, { ...fault, times: CALLS });
    await Promise.all([payOut(one), payOut(one)]);
    const isTried = async () =>
      (await read(one, '/operations?status=RUNNING')).every(({ attempts }) => Number(attempts) > 1);
    await until(isTried);
    return {};
  },
  before: { Repair: ({ set }) => clearFaults(set.sandbox) },
};

async function payOut({ post, set, marketplace }: Case): Promise<void> {
  const { id: userId, email } = await createPerson(post, { credit: '50.00' });
  const destination = { type: 'payment_account', ref: email };
  const input = { userId, amount: '20.00', currency: 'USD', destination };
  const { id } = await post('/withdrawals', input);
  const target = { api: set.api, apiKey: marketplace.key };
  await call(target, { path: `/withdrawals/${String(id)}/commit`, method: 'POST' });
}
