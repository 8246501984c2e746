//! The environment of a run: a complete set with two of each process, its marketplaces and users.
import type { Readiness } from '../../../apps/cli/src/local-set.ts';
import { poster } from '../../harness/api.ts';
import {
  createMarketplace as createEmpty,
  createPerson,
  type Marketplace as Empty,
} from '../../harness/people.ts';
import { awaitWallets } from '../../harness/rest.ts';
import * as harness from '../../harness/set.ts';
import type { ChaosOptions } from './options.ts';

export interface Marketplace extends Empty {
  readonly userIds: readonly string[];
}

export type Environment = Awaited<ReturnType<typeof openEnvironment>>;

/** A quick run has fewer orders, and all wallets are created before the first. */
const FULL = { marketplaces: 10, usersOfEach: 16 };
const QUICK = { marketplaces: 5, usersOfEach: 8 };
/** The initial balance of every user, in cents. */
export const FIRST_MONEY = 2_000_000n;
const FIRST_MONEY_TEXT = '20000.00';
const SCOPES = ['read', 'write', 'support'];

const ENV = {
  ...harness.HIGH_LOAD,
  // A client without a response repeats its request many times.
  HOLDFAST_TOPUPS_PER_USER: 'off',
  HOLDFAST_WITHDRAWALS_PER_USER: 'off',
};

export function openEnvironment({ loud: isLoud, quick }: Pick<ChaosOptions, 'loud' | 'quick'>) {
  const { marketplaces: count, usersOfEach } = quick ? QUICK : FULL;
  const people = count * usersOfEach;
  const env = { ...ENV, HOLDFAST_SPARE_WALLETS: String(people) };
  const options = { apis: 2, workers: 2, hasRedis: true, isSteady: true, isLoud, env };
  return harness.openEnvironment(options, async ({ set, monitor, engine, redis }) => {
    const names = Array.from({ length: count }, (_, at) => `chaos-${at + 1}`);
    const marketplaces = await Promise.all(
      names.map((name) => createMarketplace(set.ready, name, usersOfEach)),
    );
    await awaitWallets(monitor, people);
    return {
      marketplaces,
      engine: harness.needed(engine, 'Restate'),
      redis: harness.needed(redis, 'Redis'),
    };
  });
}

async function createMarketplace(
  ready: Readiness,
  name: string,
  users: number,
): Promise<Marketplace> {
  const created = await createEmpty(ready, name, { scopes: SCOPES });
  const post = poster({ api: ready.api, apiKey: created.key });
  const userIds: string[] = [];
  for (let at = 1; at <= users; at += 1) {
    const input = { name: `${name}-${at}`, credit: FIRST_MONEY_TEXT };
    userIds.push((await createPerson(post, input)).id);
  }
  return { ...created, userIds };
}
