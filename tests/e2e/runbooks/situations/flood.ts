//! One key sends far more requests than its limit allows.
import { call } from '../../../harness/api.ts';
import type { Situation } from '../situation.ts';

const LIMIT = 20;

export const flood: Situation = {
  start: async ({ master, marketplace, set }) => {
    const limit = { requestsPerMinute: LIMIT, marketplaceId: marketplace.id };
    const { id, key } = await master('/auth/api-keys', {
      name: 'shop',
      scopes: ['read'],
      ...limit,
    });
    const target = { api: set.api, apiKey: String(key) };
    const requests = Array.from({ length: 3 * LIMIT }, () => call(target, { path: '/users' }));
    await Promise.all(requests);
    return { KEY: String(id), FLOODING: String(key) };
  },
};
