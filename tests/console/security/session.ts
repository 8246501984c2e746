//! The session's cookie: out of reach of scripts, not enough by itself, and dead when it is over.
import assert from 'node:assert/strict';
import { SESSION_SECONDS } from '@holdfast/contract/limits';
import type { Operator } from '../operator.ts';
import type { Stage } from '../stage.ts';

export async function sessionCookie(stage: Stage): Promise<void> {
  const adam = await stage.at('adam');
  await adam.go('/');
  const cookie = await cookieOf(adam);
  assert.deepEqual([cookie.httpOnly, cookie.sameSite, cookie.path], [true, 'Strict', '/']);
  assert.equal(await adam.page.evaluate<string>('document.cookie'), '');
  const kept = await adam.page.evaluate<string>(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }])',
  );
  assert.ok(!kept.includes(cookie.value), 'nothing that scripts can read holds it');

  const user = await stage.user();
  const { api, marketplaceId } = stage.set.ready;
  const send = (headers: Record<string, string>) =>
    adam.context.request.post(`${api}/api/v1/users/${user.id}/freeze`, {
      headers: { origin: api, 'x-holdfast-marketplace': marketplaceId, ...headers },
      data: { reason: 'stolen' },
    });
  for (const headers of [{}, { 'x-holdfast-csrf': 'x'.repeat(43) }]) {
    const answer = await send(headers as Record<string, string>);
    assert.equal(answer.status(), 403, await answer.text());
    assert.match(await answer.text(), /CSRF_REQUIRED/);
  }
  assert.equal((await stage.holdfast.users.get(user.id)).status, 'ACTIVE');
}

/** Nobody who was signed in a moment ago can go on, not even with a copy of the cookie. */
export async function signedOut(stage: Stage): Promise<void> {
  const sam = await stage.at('sam');
  await sam.go('/');
  const { name, value } = await cookieOf(sam);
  const agent = await sam.page.evaluate<string>('navigator.userAgent');
  const look = async () => {
    const headers = { cookie: `${name}=${value}`, 'user-agent': agent };
    return (await fetch(`${stage.set.ready.api}/api/v1/operators/me`, { headers })).status;
  };
  assert.equal(await look(), 200, 'the copy works while the session lasts');
  await sam.page.getByRole('button', { name: /^Signed in as/ }).click();
  await sam.page.getByRole('menuitem', { name: 'Sign out' }).click();
  await sam.page.getByRole('textbox', { name: 'E-mail' }).waitFor();
  assert.equal(await look(), 401);
  assert.deepEqual(await sam.context.cookies(), []);
  sam.watch.forgive(/status of 401/);
}

/** A screen that nobody looks at asks for news all the time, and keeps nobody signed in by it. */
export async function wentAway(stage: Stage): Promise<void> {
  const vera = await stage.at('vera');
  await vera.go('/system');
  const longAgo = new Date(Date.now() - SESSION_SECONDS.idle * 1_000).toISOString();
  await vera.page.evaluate(`localStorage.setItem('holdfast.touched', '${longAgo}')`);
  await vera.page.getByRole('textbox', { name: 'E-mail' }).waitFor();
  assert.deepEqual(await vera.context.cookies(), []);
  vera.watch.forgive(/status of 401/);
}

async function cookieOf({ context }: Operator) {
  const cookie = (await context.cookies()).find((one) => one.name.endsWith('holdfast_session'));
  if (cookie === undefined) throw new Error('there is no cookie of a session');
  return cookie;
}
