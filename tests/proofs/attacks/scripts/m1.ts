//! M1: a frozen member continues with an old token, or logs in again.
import { randomUUID } from 'node:crypto';
import { type Attack, alarmed } from '../attack.ts';
import { memberMarketplaceKey, newPassword } from '../members.ts';

export const attack: Attack = {
  id: 'M1',
  title: 'act as a member after the user was frozen',
  isQuick: true,
  evidence: alarmed('suspicious request refused'),
  run: async (world) => {
    const { request, arrange } = world;
    const email = `${randomUUID()}@example.test`;
    const password = newPassword();
    const surface = { prefix: '', from: '127.7.1.1' } as const;
    const registered = await request('/auth/register', {
      ...surface,
      body: { email, password, name: 'Mallory' },
    });
    const bearer = String(registered.data['token']);
    const open = await request('/balances', { ...surface, bearer });
    if (open.status !== 200) throw new Error(`the token returned ${open.status}`);
    const key = await memberMarketplaceKey(world);
    const id = String(registered.data['id']);
    await arrange(`/users/${id}/freeze`, { reason: 'a stolen account' }, key);
    const release = { escrow_id: 'esc_00000000000000000000000000' };
    const tries = [
      await request('/balances', { ...surface, bearer }),
      await request('/escrow/release', { ...surface, bearer, body: release }),
      await request('/auth/login', { ...surface, body: { email, password } }),
    ];
    const statuses = tries.map(({ status }) => status);
    return statuses.every((status) => status === 401)
      ? undefined
      : `balances, release and login returned ${statuses.join(', ')}`;
  },
  // Freezing a user also ends the tokens issued before, so both conditions go.
  withoutFix: {
    file: 'apps/server/src/members/account/member-auth.ts',
    find: '!member?.isActive || claims.issuedAt < member.tokensSince',
    replace: 'member === undefined',
  },
};
