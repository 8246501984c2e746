//! The session cookie is unreadable by scripts, not sufficient alone, and invalid after sign-out.
import assert from 'node:assert/strict';
import { SESSION_SECONDS } from '@holdfast/contract/limits';
import type { Environment } from '../environment.ts';
import type { Operator } from '../operator.ts';

export async function sessionCookie(environment: Environment): Promise<void> {
  const adam = await environment.at('adam');
  await adam.go('/');
  const cookie = await cookieOf(adam);
  assert.deepEqual([cookie.httpOnly, cookie.sameSite, cookie.path], [true, 'Strict', '/']);
  assert.equal(await adam.page.evaluate<string>('document.cookie'), '');
  const stored = await adam.page.evaluate<string>(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }])',
  );
  assert.ok(!stored.includes(cookie.value), 'scripts cannot read the cookie from storage');

  const user = await environment.user();
  const { api, marketplaceId } = environment.set.ready;
  const send = (headers: Record<string, string>) =>
    adam.context.request.post(`${api}/api/v1/users/${user.id}/freeze`, {
      headers: { origin: api, 'x-holdfast-marketplace': marketplaceId, ...headers },
      data: { reason: 'stolen' },
    });
  for (const headers of [{}, { 'x-holdfast-csrf': 'x'.repeat(43) }]) {
    const response = await send(headers as Record<string, string>);
    assert.equal(response.status(), 403, await response.text());
    assert.match(await response.text(), /CSRF_REQUIRED/);
  }
  assert.equal((await environment.holdfast.users.get(user.id)).status, 'ACTIVE');
}

/** After sign-out the session is invalid, even with a copy of the cookie. */
export async function signedOut(environment: Environment): Promise<void> {
  const sam = await environment.at('sam');
  await sam.go('/');
  const { name, value } = await cookieOf(sam);
  const agent = await sam.page.evaluate<string>('navigator.userAgent');
  const fetchStatus = async () => {
    const headers = { cookie: `${name}=${value}`, 'user-agent': agent };
    return (await fetch(`${environment.set.ready.api}/api/v1/operators/me`, { headers })).status;
  };
  assert.equal(await fetchStatus(), 200, 'the copy works while the session lasts');
  await sam.page.getByRole('button', { name: /^Signed in as/ }).click();
  await sam.page.getByRole('menuitem', { name: 'Sign out' }).click();
  await sam.page.getByRole('textbox', { name: 'Email' }).waitFor();
  assert.equal(await fetchStatus(), 401);
  await expectSignedOut(sam);
  sam.watch.forgive(/status of 401/);
}

/** An unattended screen polls all the time; polling does not keep the session alive. */
export async function wentAway(environment: Environment): Promise<void> {
  const vera = await environment.at('vera');
  await vera.go('/system');
  const longAgo = new Date(Date.now() - SESSION_SECONDS.idle * 1_000).toISOString();
  await vera.page.evaluate(`localStorage.setItem('holdfast.touched', '${longAgo}')`);
  await vera.page.getByRole('textbox', { name: 'Email' }).waitFor();
  await expectSignedOut(vera);
  vera.watch.forgive(/status of 401/);
}

/** Only the mark of a known device is left, which opens nothing. */
async function expectSignedOut({ context }: Operator): Promise<void> {
  const names = (await context.cookies()).map(({ name }) => name);
  assert.deepEqual(names, ['holdfast_device']);
}

async function cookieOf({ context }: Operator) {
  const cookie = (await context.cookies()).find((one) => one.name.endsWith('holdfast_session'));
  if (cookie === undefined) throw new Error('there is no session cookie');
  return cookie;
}
