//! Creates an operator as production does: invited and activated with the master key, enrolled by
//! the person.
import type { CreateOperator } from '../../apps/cli/src/local-operators.ts';
import { type ApiTarget, call, dataOf, type Fields } from './api.ts';
import { codeBefore } from './two-factor-codes.ts';

/** The key is that of the deployment; the origin is that of the page behind the link. */
export function byInvitation(master: ApiTarget, origin: string): CreateOperator {
  const anyone = { ...master, apiKey: '' };
  const send = async (target: ApiTarget, path: string, body: object): Promise<Fields> =>
    dataOf<Fields>(path, await call(target, { path, body, headers: { origin } }));
  return async ({ password, ...person }) => {
    const invited = await send(master, '/operators', person);
    const { link } = invited['invitation'] as { link: string };
    const { id } = invited['operator'] as { id: string };
    const [, token = ''] = link.split('#');
    const { totpSecret } = await send(anyone, '/operators/enrollment', { token });
    const credentials = { token, password, totp: codeBefore(String(totpSecret)) };
    const enrolled = await send(anyone, '/operators/enrollment/complete', credentials);
    await send(master, `/operators/${id}/activate`, { code: enrolled['confirmationCode'] });
    return String(totpSecret);
  };
}
