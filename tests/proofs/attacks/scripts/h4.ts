//! H4: registrations tie up the XLM of the treasury.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Attack, alarmed } from '../attack.ts';
import { newPassword } from '../members.ts';

const ADDRESSES = 60;
const EACH = 5;
/** Longer than the worker needs to create wallets. */
const SETTLE_MS = 5000;

export const attack: Attack = {
  id: 'H4',
  title: 'tie up the XLM of the treasury by registering',
  evidence: alarmed('suspicious request refused'),
  run: async ({ request, monitor }) => {
    const count = async () => {
      const { rows } = await monitor.query<{ wallets: number; members: number }>(
        `select (select count(*) from wallet)::int + (select count(*) from pooled_wallet)::int
           as wallets, (select count(*) from member)::int as members`,
      );
      return rows[0] ?? { wallets: 0, members: 0 };
    };
    const before = await count();
    const register = (address: number) =>
      request('/auth/register', {
        prefix: '',
        from: `127.9.0.${address}`,
        body: { email: `${randomUUID()}@example.test`, password: newPassword(), name: 'Bot' },
      });
    const fromAddress = async (address: number) => {
      for (let tries = 0; tries < EACH; tries += 1) await register(address);
    };
    await Promise.all(Array.from({ length: ADDRESSES }, (_, at) => fromAddress(at + 1)));
    // Others must be able to register after the limit of the hour is used up.
    await monitor.query('delete from registration_count');
    await sleep(SETTLE_MS);
    const after = await count();
    if (after.members === before.members) throw new Error('no registration succeeded');
    const tied = after.wallets - before.wallets;
    return tied > 0 ? `${tied} wallets, ${tied * 1.5} XLM` : undefined;
  },
  withoutFix: {
    file: 'apps/server/src/accounts/users/create-user.ts',
    find: '  return transact(app, call, (tx) => create(tx, input));',
    replace: '  return createUser({ network: undefined, ...app }, call, input);',
  },
};
