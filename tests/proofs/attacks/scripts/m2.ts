//! M2: outsiders lock an operator out, by tries on the account and by a flood of log-ins.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Attack, alarmed } from '../attack.ts';

const TRIES = 1000;
const LOGINS = 200;
const MS_MAX = 2000;
/** Fewer connections than nginx accepts. */
const AT_ONCE = 100;
/** Enough tries were counted by then to use up what the account allows. */
const SENT_BEFORE = 3 * AT_ONCE;

export const attack: Attack = {
  id: 'M2',
  title: 'lock an operator out by wrong passwords from many addresses',
  evidence: alarmed('sign-in refused'),
  run: async ({ request, signIn, operator, freshCode }) => {
    const who = operator('finance');
    const { headers } = await signIn(who);
    const code = await freshCode(who);
    const { cookie: _, ...browser } = headers as Record<string, string>;
    const password = 'a wrong password';
    const addressOf = (host: number) => `127.8.${host >> 8}.${host & 255 || 1}`;
    const signInAs = (host: number) =>
      request('/operators/sign-in', {
        body: { email: who.email, password, totp: '000000' },
        headers: browser,
        from: addressOf(host),
      });
    const logIn = (host: number) =>
      request('/auth/login', {
        body: { email: `member-${host}@example.test`, password },
        prefix: '',
        from: addressOf(host),
      });
    // Mixed, so that both are still under way when the operator signs in.
    const sends = Array.from({ length: TRIES + LOGINS }, (_each, host) =>
      host % (1 + TRIES / LOGINS) === 0 ? () => logIn(host) : () => signInAs(host),
    );
    let sent = 0;
    const lane = async () => {
      for (let send = sends.shift(); send !== undefined; send = sends.shift()) {
        sent += 1;
        await send();
      }
    };
    const flood = Promise.all(Array.from({ length: AT_ONCE }, lane));
    while (sent < SENT_BEFORE) await sleep(5);
    const startedAt = performance.now();
    const body = { email: who.email, password: who.password, totp: code };
    const reply = await request('/operators/sign-in', { body, headers, from: '127.8.255.1' });
    const ms = performance.now() - startedAt;
    await flood;
    if (sent < TRIES + LOGINS) throw new Error(`only ${sent} tries were sent`);
    if (reply.status !== 200) return `the operator's sign-in returned ${reply.status}`;
    return ms > MS_MAX ? `the operator waited ${Math.round(ms)} ms` : undefined;
  },
  withoutFix: {
    file: 'apps/server/src/api/http/attempts.ts',
    find: 'if (device === undefined) await count',
    replace: 'await count',
  },
};
