//! The marketplaces of the run: their keys, users and endpoints, and the credits that emit events.
import { randomUUID } from 'node:crypto';
import type { Readiness } from '../../../apps/cli/src/local-set.ts';
import * as api from '../../harness/api.ts';
import { createMarketplace, createUsers, type Marketplace } from '../../harness/people.ts';

export interface Shop extends Marketplace {
  readonly post: api.Post;
  /** The whole log after a cursor. */
  pull(after: string | null): Promise<api.LogEvent[]>;
  /** Emits one event by crediting a cent to one of the users. */
  creditOnce(at: number): Promise<void>;
}

const USERS = 8;
const RETRY_POLICY = { msMax: 60_000, pauseMs: () => 100, isTransient: api.isUnsettled };

/** Calls one api process after another until one responds; the key makes it one request. */
export async function openShop(
  urls: readonly string[],
  ready: Readiness,
  name: string,
): Promise<Shop> {
  const created = await createMarketplace(ready, name);
  let tries = 0;
  const callWithRetry = (request: api.ApiRequest) =>
    api.callWithRetry(request.path, RETRY_POLICY, () => {
      tries += 1;
      return api.call({ api: urls[tries % urls.length] as string, apiKey: created.key }, request);
    });
  const post: api.Post = async (path, body = {}, key = randomUUID()) =>
    api.dataOf(path, await callWithRetry({ path, body, key }));
  const userIds = await createUsers(post, name, USERS);
  return {
    ...created,
    post,
    pull: (after) => api.pullLog((path) => callWithRetry({ path }), after),
    creditOnce: async (at) => {
      await post(`/users/${userIds[at % USERS]}/balance/credit`, { amount: '0.01' });
    },
  };
}

export interface CreatedEndpoint {
  readonly id: string;
  readonly secret: string;
  /** The endpoint gets every event after this; null: all events. */
  readonly deliveredTo: string | null;
}

export async function createEndpoint({ post }: Shop, url: string): Promise<CreatedEndpoint> {
  return (await post('/webhook-endpoints', { url })) as unknown as CreatedEndpoint;
}
