//! Uses the link of an invitation in the name of the person, then tries to act as them.
import type { LocalOperator } from '../../../apps/cli/src/local-operators.ts';
import { codeBefore } from '../../harness/two-factor-codes.ts';
import { type AttackWorld, BROWSER, type Reply } from './world.ts';

const PASSWORD = 'chosen by the platform admin';

/** Returns what the attacker gained; undefined if nothing. */
export async function enrollAs(
  world: AttackWorld,
  attacker: LocalOperator,
  invited: Reply,
  person: Pick<LocalOperator, 'email' | 'role'>,
): Promise<string | undefined> {
  const { request, act, freshCode, openSession } = world;
  const { link } = invited.data['invitation'] as { link: string };
  const { id } = invited.data['operator'] as { id: string };
  const [, token] = link.split('#');
  const visit = async (path: string, body: object) => {
    const reply = await request(path, { body, headers: BROWSER });
    if (reply.status !== 200) throw new Error(`${path} returned ${reply.status} ${reply.code}`);
    return reply.data;
  };
  const { totpSecret } = await visit('/operators/enrollment', { token });
  const body = { token, password: PASSWORD, totp: codeBefore(String(totpSecret)) };
  const { confirmationCode } = await visit('/operators/enrollment/complete', body);
  const { email, role } = person;
  const taken = { email, role, password: PASSWORD, totpSecret: String(totpSecret) };
  const canSignIn = () =>
    openSession(taken).then(
      () => true,
      () => false,
    );
  if (await canSignIn()) return 'a session with credentials that were never activated';
  await act(attacker, `/operators/${id}/activate`, {
    body: { code: confirmationCode, totp: await freshCode(attacker) },
  });
  return (await canSignIn()) ? 'the session of a second approver' : undefined;
}
