//! Where the run takes place: a whole set with two of each process, and the people in it.
import type { Readiness } from '../../apps/cli/src/local-set.ts';
import { poster } from '../harness/api.ts';
import * as people from '../harness/people.ts';
import { awaitWallets } from '../harness/rest.ts';
import * as harness from '../harness/set.ts';

export interface Marketplace extends people.Marketplace {
  readonly userIds: readonly string[];
}

export type Stage = Awaited<ReturnType<typeof openStage>>;

const MARKETPLACES = 10;
const USERS_OF_EACH = 16;
/** What everybody begins with, in cents. */
export const FIRST_MONEY = 2_000_000n;
const FIRST_MONEY_TEXT = '20000.00';
const SCOPES = ['read', 'write', 'support'];

const ENV = {
  ...harness.CROWDED,
  // Whoever gets no answer asks again and again.
  HOLDFAST_TOPUPS_PER_USER: 'off',
  HOLDFAST_WITHDRAWALS_PER_USER: 'off',
  HOLDFAST_SPARE_WALLETS: String(MARKETPLACES * USERS_OF_EACH),
};

export function openStage(isLoud: boolean) {
  const wishes = { apis: 2, workers: 2, hasRedis: true, isSteady: true, isLoud, env: ENV };
  return harness.openStage(wishes, async ({ set, monitor, engine, redis }) => {
    const numbers = Array.from({ length: MARKETPLACES }, (_, at) => at + 1);
    const marketplaces = await Promise.all(
      numbers.map((number) => makeMarketplace(set.ready, `chaos-${number}`)),
    );
    await awaitWallets(monitor, MARKETPLACES * USERS_OF_EACH);
    return {
      marketplaces,
      engine: harness.needed(engine, 'Restate'),
      redis: harness.needed(redis, 'Redis'),
    };
  });
}

async function makeMarketplace(ready: Readiness, name: string): Promise<Marketplace> {
  const made = await people.makeMarketplace(ready, name, { scopes: SCOPES });
  const post = poster({ api: ready.api, apiKey: made.key });
  const userIds: string[] = [];
  for (let at = 1; at <= USERS_OF_EACH; at += 1) {
    const wish = { name: `${name}-${at}`, credit: FIRST_MONEY_TEXT };
    userIds.push((await people.makePerson(post, wish)).id);
  }
  return { ...made, userIds };
}
