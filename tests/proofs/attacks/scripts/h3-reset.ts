//! H3: a platform admin resets another operator and takes the account over.
import { type Attack, audited } from '../attack.ts';
import { enrollAs } from '../enroll-as.ts';

export const attack: Attack = {
  id: 'H3-reset',
  title: 'reset another operator alone, and act as them',
  evidence: audited('OPERATOR_RESET'),
  run: async (world) => {
    const { act, operator, freshCode, signIn, monitor, ready } = world;
    const petra = operator('platform-admin');
    await signIn(petra);
    // The last of the marketplace: no other attack needs them.
    const victim = ready.operators.findLast(({ role }) => role === 'support');
    if (victim === undefined) throw new Error('there is no operator to reset');
    const { rows } = await monitor.query('select id from operator where email = $1', [
      victim.email,
    ]);
    const id = String(rows[0]?.id);
    const body = { totp: await freshCode(petra) };
    const reset = await act(petra, `/operators/${id}/reset`, { body });
    if (reset.status !== 200) throw new Error(`the reset returned ${reset.status} ${reset.code}`);
    if ('totpSecret' in reset.data) return 'the two-factor secret of another operator';
    return enrollAs(world, petra, reset, victim);
  },
  withoutFix: {
    file: 'apps/server/src/access/enrollment/activate-operator.ts',
    find: "if (actor.kind === 'person' && operator.invitedBy === actor.id)",
    replace: "if (actor.kind === 'person' && operator.invitedBy === 'no operator')",
  },
};
