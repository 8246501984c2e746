//! The browser must block foreign scripts, foreign frames and requests from foreign pages.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { User } from '@holdfast/sdk';
import type { Page } from 'playwright-core';
import { serve } from '../../../harness/serve.ts';
import { BUILT } from '../build.ts';
import { within } from '../endless.ts';
import type { Environment } from '../environment.ts';

/** A browser step is done at once or never. */
const STEP_MS_MAX = 20_000;

export async function policy({ set }: Environment): Promise<void> {
  for (const path of ['/console/', '/console/orders']) {
    const { headers } = await fetch(`${set.ready.api}${path}`);
    const rules = (headers.get('content-security-policy') ?? '').split('; ');
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ])
      assert.ok(rules.includes(rule), `${path}: ${rule}`);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
  }
}

export async function scriptless(): Promise<void> {
  const html = readFileSync(join(BUILT, 'index.html'), 'utf8');
  assert.match(html, /<script[^>]+src="\/console\/assets\//);
  assert.doesNotMatch(html, /<script(?![^>]*\ssrc=)/i);
  assert.doesNotMatch(html, /\son\w+\s*=|javascript:/i);
}

/** Runs on a page of another origin, opened by a signed-in operator. */
async function onForeignPage(
  environment: Environment,
  html: string,
  check: (page: Page, url: string) => Promise<void>,
): Promise<void> {
  // Another port is another origin but the same site, so the browser sends the cookie.
  const { url, close } = await serve((_, __, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(html);
  });
  const adam = await environment.at('adam');
  const context = await environment.browser.newContext({
    storageState: await adam.context.storageState(),
  });
  try {
    const page = await context.newPage();
    await page.goto(url);
    await check(page, url);
  } finally {
    await within(STEP_MS_MAX, 'closing the page', context.close());
    await close();
  }
}

export function framed(environment: Environment): Promise<void> {
  const html = `<iframe src="${environment.set.ready.console}/" width="800" height="600"></iframe>`;
  return onForeignPage(environment, html, async (page) => {
    const frame = await (await page.waitForSelector('iframe')).contentFrame();
    await frame?.waitForLoadState();
    assert.match(frame?.url() ?? '', /^chrome-error:/, 'the browser blocks the frame');
    assert.equal(await frame?.getByRole('textbox', { name: 'Email' }).count(), 0);
    assert.equal(await frame?.getByRole('main').count(), 0);
  });
}

export async function foreignSite(environment: Environment): Promise<() => Promise<void>> {
  const user = await environment.user();
  return () => freezeFromElsewhere(environment, user);
}

async function freezeFromElsewhere(environment: Environment, user: User): Promise<void> {
  const to = `${environment.set.ready.api}/api/v1/users/${user.id}/freeze`;
  const html = `<form method="post" enctype="text/plain" action="${to}">
    <input name='{"reason":"mine","x":"' value='"}'><button>Win</button></form>`;
  await onForeignPage(environment, html, async (page) => {
    const { marketplaceId } = environment.set.ready;
    const requests = page.evaluate<string[]>(`Promise.all([
      { mode: 'no-cors', headers: { 'content-type': 'text/plain' } },
      { headers: { 'content-type': 'application/json', 'x-holdfast-reason': 'mine',
        'x-holdfast-csrf': 'x', 'x-holdfast-marketplace': '${marketplaceId}' } },
    ].map((more) => fetch('${to}', { method: 'POST', credentials: 'include',
      body: '{"reason":"mine"}', ...more }).then((a) => a.type + a.status, () => 'blocked')))`);
    const responses = await within(STEP_MS_MAX, 'requesting a change', requests);
    assert.deepEqual(responses, ['opaque0', 'blocked'], 'a foreign page cannot read the response');
    const reading = page.evaluate<string>(
      `fetch('${environment.set.ready.api}/api/v1/operators/me', { credentials: 'include' })
        .then((response) => response.text(), () => 'blocked')`,
    );
    const secret = await within(STEP_MS_MAX, 'requesting the token', reading);
    assert.equal(secret, 'blocked', 'a foreign page cannot read the token');
    const [response] = await Promise.all([
      page.waitForResponse(to),
      page.getByRole('button', { name: 'Win' }).click(),
    ]);
    assert.ok(response.status() >= 400, `a form got ${response.status()}`);
  });
  assert.equal((await environment.holdfast.users.get(user.id)).status, 'ACTIVE');
}
