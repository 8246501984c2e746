//! H3: a platform admin invites a second operator, uses the link, and approves as that person.
import { type Attack, audited } from '../attack.ts';
import { enrollAs } from '../enroll-as.ts';

export const attack: Attack = {
  id: 'H3-operator',
  title: 'invite a second operator alone, and act as them',
  evidence: audited('OPERATOR_INVITED'),
  run: async (world) => {
    const { act, operator, freshCode, signIn, ready } = world;
    const petra = operator('platform-admin');
    await signIn(petra);
    const { marketplaceId } = ready;
    const email = `${crypto.randomUUID()}@example.com`;
    const person = { email, name: 'Second', memberships: [{ marketplaceId, role: 'admin' }] };
    const withPassword = { ...person, password: 'known to the platform admin' };
    const totp = await freshCode(petra);
    const created = await act(petra, '/operators', { body: { ...withPassword, totp } });
    if (created.status === 201) return 'an operator with a known password';
    const invited = await act(petra, '/operators', { body: { ...person, totp } });
    if (invited.status !== 201) throw new Error(`the invitation returned ${invited.code}`);
    return enrollAs(world, petra, invited, { email, role: 'admin' });
  },
  withoutFix: {
    file: 'apps/server/src/access/enrollment/activate-operator.ts',
    find: "if (actor.kind === 'person' && operator.invitedBy === actor.id)",
    replace: "if (actor.kind === 'person' && operator.invitedBy === 'no operator')",
  },
};
