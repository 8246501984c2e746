//! H3: a platform admin increases the limit that bounds a marketplace.
import { type Attack, audited } from '../attack.ts';

export const attack: Attack = {
  id: 'H3-limit',
  title: 'increase the adjustment limit of a marketplace alone',
  evidence: audited('APPROVAL_REQUESTED'),
  run: async ({ act, operator, freshCode, signIn, ready }) => {
    const petra = operator('platform-admin');
    await signIn(petra);
    const marketplace = `/marketplaces/${ready.marketplaceId}`;
    const totp = await freshCode(petra);
    const increase = (limit: string | null) => {
      const body = { currency: 'USD', limit, totp };
      return act(petra, `${marketplace}/adjustment-limit`, { method: 'PUT', body });
    };
    const removed = await increase(null);
    if (removed.status < 300) return 'no limit at all';
    const requested = await increase('2000000.00');
    if (requested.status !== 202 && requested.status !== 200)
      throw new Error(`the request returned ${requested.status} ${requested.code}`);
    await act(petra, `/approvals/${String(requested.data['id'])}/approve`, { body: {} });
    const { data } = await act(petra, marketplace, { method: 'GET' });
    const limits = data['adjustmentLimit'] as { USD?: string } | null;
    return limits?.USD === '2000000.00' ? 'a limit of 2000000.00' : undefined;
  },
  withoutFix: {
    file: 'apps/server/src/access/operators/require-second-admin.ts',
    find: "if (actor.kind === 'person' && actor.approvedBy === undefined) throw new SecondApproverNeeded();",
    replace: 'void SecondApproverNeeded; void actor;',
  },
};
