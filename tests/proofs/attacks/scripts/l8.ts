//! L8: a weak password is accepted, or a token outlives a change of the password.
import { randomUUID } from 'node:crypto';
import { type Attack, audited } from '../attack.ts';
import { memberMarketplaceKey, newPassword } from '../members.ts';

const WEAK = ['12345678', 'Password2026!', 'qwertyuiop12', 'P@ssw0rd1234'];

export const attack: Attack = {
  id: 'L8',
  title: 'register with a weak password, or continue after the password was reset',
  isQuick: true,
  evidence: audited('MEMBER_PASSWORD_RESET'),
  run: async (world) => {
    const { request, arrange } = world;
    const surface = { prefix: '', from: '127.7.8.1' } as const;
    const register = (password: string) =>
      request('/auth/register', {
        ...surface,
        body: { email: `${randomUUID()}@example.test`, password, name: 'Ada' },
      });
    const replies = await Promise.all(WEAK.map(register));
    const accepted = WEAK.filter((_, at) => (replies[at]?.status ?? 0) < 300);
    if (accepted.length > 0) return `these passwords were accepted: ${accepted.join(', ')}`;
    const { data } = await register(newPassword());
    const bearer = String(data['token']);
    const before = await request('/balances', { ...surface, bearer });
    if (before.status !== 200) throw new Error(`the token returned ${before.status}`);
    const key = await memberMarketplaceKey(world);
    const { token } = await arrange(`/users/${String(data['id'])}/password-reset`, {}, key);
    const reset = { token, new_password: newPassword() };
    const first = await request('/auth/password/reset', { ...surface, body: reset });
    if (first.status !== 200) throw new Error(`the reset returned ${first.status}`);
    const again = await request('/auth/password/reset', { ...surface, body: reset });
    if (again.status < 300) return 'a token for a new password works twice';
    const old = await request('/balances', { ...surface, bearer });
    return old.status === 401 ? undefined : `an old token returned ${old.status}`;
  },
  withoutFix: {
    file: 'apps/server/src/platform/password.ts',
    find: 'if (!this.#isStrict) return;',
    replace: 'return;',
  },
};
