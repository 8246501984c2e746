//! One key sends far more requests than its limit allows.
import { call } from '../../../harness/api.ts';
import { type Situation, untilLogged } from '../situation.ts';

const LIMIT = 20;

export const flood: Situation = {
  start: async (one) => {
    const { master, marketplace, set } = one;
    const limit = { requestsPerMinute: LIMIT, marketplaceId: marketplace.id };
    const { id, key } = await master('/auth/api-keys', {
      name: 'shop',
      scopes: ['read'],
      ...limit,
    });
    const target = { api: set.api, apiKey: String(key) };
    const requests = Array.from({ length: 3 * LIMIT }, () => call(target, { path: '/users' }));
    await Promise.all(requests);
    await untilLogged(one, 'RATE_LIMITED');
    return { KEY: String(id), FLOODING: String(key) };
  },
};
