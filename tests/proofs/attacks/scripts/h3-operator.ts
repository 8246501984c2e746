//! H3: a platform admin creates a second operator and approves as that person.
import { type Attack, audited } from '../attack.ts';

const PASSWORD = 'known to the platform admin';

export const attack: Attack = {
  id: 'H3-operator',
  title: 'create a second operator alone, and sign in as them',
  open: 'the creator knows the password and the two-factor secret of a new operator',
  evidence: audited('OPERATOR_CREATED'),
  run: async ({ act, operator, freshCode, signIn, ready }) => {
    const petra = operator('platform-admin');
    await signIn(petra);
    const { marketplaceId } = ready;
    const email = `${crypto.randomUUID()}@example.com`;
    const body = {
      email,
      name: 'Second',
      password: PASSWORD,
      memberships: [{ marketplaceId, role: 'admin' }],
      totp: await freshCode(petra),
    };
    const created = await act(petra, '/operators', { body });
    if (created.status >= 500) throw new Error(`the request returned ${created.status}`);
    const { totpSecret } = created.data;
    if (typeof totpSecret !== 'string') return undefined;
    const second = { email, password: PASSWORD, totpSecret, role: 'admin' } as const;
    const reply = await signIn(second).then(
      () => 'the session of a second approver',
      () => undefined,
    );
    return reply;
  },
};
