//! H3: a platform admin increases the limit that bounds a marketplace.
import { type Attack, audited } from '../attack.ts';

export const attack: Attack = {
  id: 'H3-limit',
  title: 'increase the adjustment limit of a marketplace alone',
  open: 'increasing a limit needs no second platform admin',
  evidence: audited('ADJUSTMENT_LIMIT_SET'),
  run: async ({ act, operator, ready }) => {
    const path = `/marketplaces/${ready.marketplaceId}/adjustment-limit`;
    const body = { currency: 'USD', limit: '2000000.00' };
    const increased = await act(operator('platform-admin'), path, { method: 'PUT', body });
    if (increased.status >= 500) throw new Error(`the request returned ${increased.status}`);
    return increased.status === 200 ? 'a limit of 2000000.00 instead of 1000000.00' : undefined;
  },
};
