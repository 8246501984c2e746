//! Where the run takes place: a whole set with two of each process, and the people in it.
import type { Readiness } from '../../apps/cli/src/local-set.ts';
import { poster } from '../harness/api.ts';
import {
  type Marketplace as Empty,
  makeMarketplace as makeEmpty,
  makePerson,
} from '../harness/people.ts';
import { awaitWallets } from '../harness/rest.ts';
import * as harness from '../harness/set.ts';
import type { ChaosOptions } from './options.ts';

export interface Marketplace extends Empty {
  readonly userIds: readonly string[];
}

export type Stage = Awaited<ReturnType<typeof openStage>>;

/** A slice has fewer lives to live, and everybody's wallet is made before the first. */
const FULL = { marketplaces: 10, usersOfEach: 16 };
const QUICK = { marketplaces: 5, usersOfEach: 8 };
/** What everybody begins with, in cents. */
export const FIRST_MONEY = 2_000_000n;
const FIRST_MONEY_TEXT = '20000.00';
const SCOPES = ['read', 'write', 'support'];

const ENV = {
  ...harness.CROWDED,
  // Whoever gets no answer asks again and again.
  HOLDFAST_TOPUPS_PER_USER: 'off',
  HOLDFAST_WITHDRAWALS_PER_USER: 'off',
};

export function openStage({ loud: isLoud, quick }: Pick<ChaosOptions, 'loud' | 'quick'>) {
  const { marketplaces: count, usersOfEach } = quick ? QUICK : FULL;
  const people = count * usersOfEach;
  const env = { ...ENV, HOLDFAST_SPARE_WALLETS: String(people) };
  const wishes = { apis: 2, workers: 2, hasRedis: true, isSteady: true, isLoud, env };
  return harness.openStage(wishes, async ({ set, monitor, engine, redis }) => {
    const names = Array.from({ length: count }, (_, at) => `chaos-${at + 1}`);
    const marketplaces = await Promise.all(
      names.map((name) => makeMarketplace(set.ready, name, usersOfEach)),
    );
    await awaitWallets(monitor, people);
    return {
      marketplaces,
      engine: harness.needed(engine, 'Restate'),
      redis: harness.needed(redis, 'Redis'),
    };
  });
}

async function makeMarketplace(
  ready: Readiness,
  name: string,
  users: number,
): Promise<Marketplace> {
  const made = await makeEmpty(ready, name, { scopes: SCOPES });
  const post = poster({ api: ready.api, apiKey: made.key });
  const userIds: string[] = [];
  for (let at = 1; at <= users; at += 1) {
    const wish = { name: `${name}-${at}`, credit: FIRST_MONEY_TEXT };
    userIds.push((await makePerson(post, wish)).id);
  }
  return { ...made, userIds };
}
