//! What a browser keeps out: scripts of others, frames of others, requests of others.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { User } from '@holdfast/sdk';
import type { Page } from 'playwright-core';
import { serve } from '../../harness/serve.ts';
import { BUILT } from '../build.ts';
import { within } from '../endless.ts';
import type { Stage } from '../stage.ts';

/** Each step of a browser's own: it is done at once, or never. */
const STEP_MS_MAX = 20_000;

export async function policy({ set }: Stage): Promise<void> {
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

/** A page of somebody else, opened by an operator who has signed in. */
async function onForeignPage(
  stage: Stage,
  html: string,
  look: (page: Page, url: string) => Promise<void>,
): Promise<void> {
  // Another port is another origin and the same site: the browser sends the cookie along.
  const { url, close } = await serve((_, __, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(html);
  });
  const adam = await stage.at('adam');
  const context = await stage.browser.newContext({
    storageState: await adam.context.storageState(),
  });
  try {
    const page = await context.newPage();
    await page.goto(url);
    await look(page, url);
  } finally {
    await within(STEP_MS_MAX, 'closing the page', context.close());
    await close();
  }
}

export function framed(stage: Stage): Promise<void> {
  const html = `<iframe src="${stage.set.ready.console}/" width="800" height="600"></iframe>`;
  return onForeignPage(stage, html, async (page) => {
    const frame = await (await page.waitForSelector('iframe')).contentFrame();
    await frame?.waitForLoadState();
    assert.match(frame?.url() ?? '', /^chrome-error:/, 'the browser shows nothing in it');
    assert.equal(await frame?.getByRole('textbox', { name: 'E-mail' }).count(), 0);
    assert.equal(await frame?.getByRole('main').count(), 0);
  });
}

export async function foreignSite(stage: Stage): Promise<() => Promise<void>> {
  const user = await stage.user();
  return () => freezeFromElsewhere(stage, user);
}

async function freezeFromElsewhere(stage: Stage, user: User): Promise<void> {
  const to = `${stage.set.ready.api}/api/v1/users/${user.id}/freeze`;
  const html = `<form method="post" enctype="text/plain" action="${to}">
    <input name='{"reason":"mine","x":"' value='"}'><button>Win</button></form>`;
  await onForeignPage(stage, html, async (page) => {
    const { marketplaceId } = stage.set.ready;
    const asking = page.evaluate<string[]>(`Promise.all([
      { mode: 'no-cors', headers: { 'content-type': 'text/plain' } },
      { headers: { 'content-type': 'application/json', 'x-holdfast-reason': 'mine',
        'x-holdfast-csrf': 'x', 'x-holdfast-marketplace': '${marketplaceId}' } },
    ].map((more) => fetch('${to}', { method: 'POST', credentials: 'include',
      body: '{"reason":"mine"}', ...more }).then((a) => a.type + a.status, () => 'blocked')))`);
    const answers = await within(STEP_MS_MAX, 'asking for a change', asking);
    assert.deepEqual(answers, ['opaque0', 'blocked'], 'it reads no answer');
    const reading = page.evaluate<string>(
      `fetch('${stage.set.ready.api}/api/v1/operators/me', { credentials: 'include' })
        .then((answer) => answer.text(), () => 'blocked')`,
    );
    const secret = await within(STEP_MS_MAX, 'asking for the token', reading);
    assert.equal(secret, 'blocked', 'it does not learn the token');
    const [answer] = await Promise.all([
      page.waitForResponse(to),
      page.getByRole('button', { name: 'Win' }).click(),
    ]);
    assert.ok(answer.status() >= 400, `a form got ${answer.status()}`);
  });
  assert.equal((await stage.holdfast.users.get(user.id)).status, 'ACTIVE');
}
