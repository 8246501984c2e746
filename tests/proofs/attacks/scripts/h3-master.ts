//! H3: a thief of the master key disables the platform admins whose presence binds it.
import { type Attack, alarmed } from '../attack.ts';

interface ListedOperator {
  readonly id: string;
  readonly isPlatformAdmin: boolean;
}

export const attack: Attack = {
  id: 'H3-master',
  title: 'disable the platform admins with the master key, and increase a limit',
  isQuick: true,
  evidence: alarmed('suspicious request refused'),
  run: async ({ request, ready }) => {
    const bearer = ready.masterKey;
    const increase = () =>
      request(`/marketplaces/${ready.marketplaceId}/adjustment-limit`, {
        method: 'PUT',
        bearer,
        body: { currency: 'USD', limit: '90000000.00' },
      });
    const before = await increase();
    if (before.code !== 'PLATFORM_ADMIN_REQUIRED')
      throw new Error(`the master key is not bound: ${before.status}`);
    const listed = await request('/operators?limit=100', { bearer });
    const operators = Object.values(listed.data) as ListedOperator[];
    for (const { id } of operators.filter((each) => each.isPlatformAdmin))
      await request(`/operators/${id}/status`, {
        method: 'PUT',
        bearer,
        body: { status: 'DISABLED' },
      });
    return (await increase()).status === 200 ? 'a limit of 90000000.00' : undefined;
  },
  withoutFix: {
    file: 'apps/server/src/access/operators/set-operator-status.ts',
    find: 'if (isPlatformAdmin) await refuseMasterKey(tx);',
    replace: 'void isPlatformAdmin; void refuseMasterKey;',
  },
};
