//! H3: an admin creates a key, which no second approver controls, and acts with it.
import { type Attack, audited } from '../attack.ts';

const DAY_MS = 86_400_000;

export const attack: Attack = {
  id: 'H3-key',
  title: 'create an API key alone, and act with it',
  isQuick: true,
  evidence: audited('APPROVAL_REQUESTED'),
  run: async ({ act, operator, freshCode, request, ready, signIn }) => {
    const admin = operator('admin');
    await signIn(admin);
    const name = `alone ${crypto.randomUUID()}`;
    const body = {
      name,
      scopes: ['read', 'write'],
      expiresAt: new Date(Date.now() + DAY_MS).toISOString(),
      totp: await freshCode(admin),
    };
    const requested = await act(admin, '/auth/api-keys', { body });
    if (requested.status >= 400)
      throw new Error(`the request returned ${requested.status} ${requested.code}`);
    const secrets = [requested.data['key']];
    await act(admin, `/approvals/${String(requested.data['id'])}/approve`, { body: {} });
    const listed = await request('/auth/api-keys?limit=100', { bearer: ready.apiKey });
    const keys = Object.values(listed.data) as { id: string; name: string }[];
    for (const { id } of keys.filter((each) => each.name === name))
      secrets.push((await act(admin, `/auth/api-keys/${id}/secret`, { body: {} })).data['key']);
    for (const secret of secrets.filter((each) => typeof each === 'string'))
      if ((await request('/users', { bearer: secret })).status === 200) return 'a working key';
    return undefined;
  },
};
