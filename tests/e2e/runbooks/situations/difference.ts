//! Money has left the treasury that Holdfast did not send, and a solvency reading has found it.
import { call, type Fields } from '../../../harness/api.ts';
import { createMarketplace } from '../../../harness/people.ts';
import { advanceClock, control } from '../../../harness/sandbox.ts';
import { within } from '../../../harness/wait.ts';
import { type Case, type Situation, until } from '../situation.ts';

/** A reading is taken once a minute. */
const MINUTE_SECONDS = 61;
const READING_MS_MAX = 10_000;

export const difference: Situation = {
  start: async (one) => {
    const { set } = one;
    // The first reading takes what is there for our own capital.
    await until(async () => (await statusOf(one)) !== undefined);
    const { rows } = await set.monitor.query<{ address: string }>(
      `select address from house_wallet where kind = 'treasury'`,
    );
    const drift = { address: rows[0]?.address, asset: 'USDC', amount: '5000', direction: 'less' };
    await control(set.sandbox, '/ledger/drift', 'POST', drift);
    // A reading that had started before is the newest for a minute, and knows nothing of it.
    await until(async () => {
      await advanceClock(set.sandbox, MINUTE_SECONDS);
      return within(READING_MS_MAX, async () => (await statusOf(one)) === 'BREACH');
    });
    // The marketplace of the house, whose runs cover the treasury.
    const { surfaceBMarketplaceId: marketplaceId } = set.set.ready;
    const scopes = ['read', 'write', 'support'];
    const { key } = await createMarketplace(set.set.ready, 'house', { marketplaceId, scopes });
    return { HOLDFAST_API_KEY: key, MARKETPLACE: marketplaceId };
  },
  before: { Check: ({ set }) => advanceClock(set.sandbox, MINUTE_SECONDS) },
};

async function statusOf({ set }: Case): Promise<unknown> {
  const { api, masterKey: apiKey } = set.set.ready;
  const { data } = await call({ api, apiKey }, { path: '/solvency' });
  return (data as Fields | undefined)?.['status'];
}
