//! The marketplaces of the run: their keys, users and endpoints, and the credits that make events.
import { randomUUID } from 'node:crypto';
import type { Readiness } from '../../apps/cli/src/local-set.ts';
import * as api from '../harness/api.ts';
import { type Marketplace, makeMarketplace, makeUsers } from '../harness/people.ts';

export interface Shop extends Marketplace {
  readonly post: api.Post;
  /** The whole log behind a cursor. */
  pull(after: string | null): Promise<api.LogEvent[]>;
  /** One event: a cent for one of the users. */
  creditOnce(at: number): Promise<void>;
}

const USERS = 8;
const PATIENCE = { msMax: 60_000, pauseMs: () => 100, isPassing: api.isUnsettled };

/** It asks one api process after the other until one answers: one request, by its key. */
export async function openShop(
  urls: readonly string[],
  ready: Readiness,
  name: string,
): Promise<Shop> {
  const made = await makeMarketplace(ready, name);
  let tries = 0;
  const insist = (asked: api.Asked) =>
    api.insist(asked.path, PATIENCE, () => {
      tries += 1;
      return api.ask({ api: urls[tries % urls.length] as string, apiKey: made.key }, asked);
    });
  const post: api.Post = async (path, body = {}, key = randomUUID()) =>
    api.dataOf(path, await insist({ path, body, key }));
  const userIds = await makeUsers(post, name, USERS);
  return {
    ...made,
    post,
    pull: (after) => api.pullLog((path) => insist({ path }), after),
    creditOnce: async (at) => {
      await post(`/users/${userIds[at % USERS]}/balance/credit`, { amount: '0.01' });
    },
  };
}

export interface MadeEndpoint {
  readonly id: string;
  readonly secret: string;
  /** Everything behind this is sent to it; null: everything there is. */
  readonly deliveredTo: string | null;
}

export async function makeEndpoint({ post }: Shop, url: string): Promise<MadeEndpoint> {
  return (await post('/webhook-endpoints', { url })) as unknown as MadeEndpoint;
}
