//! Runs every command and every program of every page, as a reader would, against a running set.
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { exampleEvent, exampleSecret, signWebhook } from '@holdfast/sdk/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePorts } from '../../../apps/cli/src/local-restate.ts';
import { eventually } from '../../../apps/server/src/testing/until.ts';
import { type Environment, openEnvironment } from './environment.ts';
import { type Page, pagesWith, ROOT, readPage } from './pages.ts';
import { outputOf, stopped } from './program.ts';
import { CALLED_COUNT, faultOf, shownCalls } from './reference-calls.ts';
import { isShown, runCalls, runShell, shownAfter } from './shell.ts';
import { runSnippet, type Snippets, writeSnippets } from './snippets.ts';

const OUTPUT_MS_MAX = 10_000;

let opened: Environment;
let snippets: Snippets;
let opening: Promise<Environment> | undefined;
beforeAll(async () => {
  opening = openEnvironment();
  snippets = writeSnippets();
  opened = await opening;
}, 300_000);
afterAll(async () => {
  snippets?.remove();
  // Stops the set even if it opened after the tests gave up.
  await (await opening?.catch(() => undefined))?.stop();
}, 300_000);

/**
 * `events.test.ts` runs the first; `../quickstart` runs README.md, which the second repeats; and
 * `../runbooks` runs the last.
 */
const ELSEWHERE = /^docs\/(guides\/events\.md|index\.md|operations\/runbooks\/)/;
const pages = pagesWith('sh').filter(({ path }) => !ELSEWHERE.test(path));
/** Faults and the clock affect every page, and a webhook endpoint gets the events of every page. */
const isAlone = ({ blocks }: Page) =>
  blocks.some(({ text }) => /\/faults|\/webhook-endpoints/.test(text));

async function check(page: Page): Promise<void> {
  for (const { block, output, shown } of await runShell(page, opened)) {
    const where = `${page.path}:${block.line}`;
    if (shown === undefined) expect(output, where).not.toContain('{"error":');
    else expect(isShown(shown, output), `${where} says\n${output}`).toBe(true);
  }
}

function environment(): Record<string, string> {
  return { HOLDFAST_URL: opened.ready.api, HOLDFAST_API_KEY: opened.ready.apiKey };
}

describe('the commands, run concurrently, of', () => {
  it.concurrent.for(pages.filter((page) => !isAlone(page)))('$path', { timeout: 120_000 }, check);
});

describe('the commands, run one after another, of', () => {
  it.for(pages.filter(isAlone))('$path', { timeout: 120_000 }, check);
});

describe('the programs of the pages', () => {
  it('compile', () => expect(snippets.faults).toEqual([]));

  it('check out an order with the SDK', async () => {
    const page = readPage('docs/guides/orders.md');
    const [block] = page.blocks.filter(({ language }) => language === 'ts');
    const child = runSnippet(snippets.folderOf(page), 'main.ts', environment());
    const output = await outputOf(child);
    expect(isShown(block ? (shownAfter(page, block) ?? '') : '', output), output).toBe(true);
  }, 60_000);

  it('consume events with the SDK', async () => {
    const env = environment();
    const folder = snippets.folderOf(readPage('docs/guides/events.md'));
    const child = runSnippet(folder, 'consume-with-sdk.ts', env);
    let output = '';
    child.stdout?.on('data', (piece: Buffer) => {
      output += piece.toString();
    });
    const call = async (path: string, body: object) => {
      const response = await fetch(`${env['HOLDFAST_URL']}/api/v1${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${env['HOLDFAST_API_KEY']}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      });
      return ((await response.json()) as { data: { data: { id: string } } }).data.data.id;
    };
    const id = await call('/users', { externalUserId: 'consumer-user' });
    await eventually(OUTPUT_MS_MAX, async () => {
      // A first start reads from now on, so it may miss an earlier event.
      await call(`/users/${id}/balance/credit`, { amount: '1.00' });
      expect(output).toContain(`${id} `);
    });
    await stopped(child);
  }, 60_000);
});

it('has a program that sets faults and the clock', async () => {
  const folder = snippets.folderOf(readPage('docs/guides/testing.md'));
  const env = { HOLDFAST_SANDBOX_URL: opened.ready.sandbox ?? '' };
  expect(await outputOf(runSnippet(folder, 'world-test.ts', env))).toBe('');
});

it('serves the site at /docs, or the command that builds it', async () => {
  const isBuilt = existsSync(join(ROOT, 'apps/docs/dist/index.html'));
  const response = await fetch(`${opened.ready.api}/docs`);
  expect(response.status).toBe(isBuilt ? 200 : 404);
  expect(await response.text()).toContain(isBuilt ? '<html' : 'npm run build:docs');
  const posted = await fetch(`${opened.ready.api}/docs`, { method: 'POST' });
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

describe('the handlers of webhooks', () => {
  const page = readPage('docs/guides/webhook-handlers.md');
  const secret = exampleSecret();
  const event = exampleEvent('order.released', { amount: '114.00' });

  it.for(['server-express.ts', 'server-fastify.ts'])(
    '%s accepts only a valid signature',
    async (file) => {
      const [port] = await freePorts(1);
      const url = `http://127.0.0.1:${port}/hooks`;
      const env = { HOLDFAST_WEBHOOK_SECRET: secret, PORT: String(port) };
      const child: ChildProcess = runSnippet(snippets.folderOf(page), file, env);
      try {
        const right = await signWebhook(event, secret);
        const response = await eventually(OUTPUT_MS_MAX, () =>
          fetch(url, { method: 'POST', ...right }),
        );
        expect(response.status).toBe(204);
        const wrong = await signWebhook(event, exampleSecret());
        expect((await fetch(url, { method: 'POST', ...wrong })).status).toBe(401);
      } finally {
        await stopped(child);
      }
    },
  );

  it('route.ts passes the test that the page shows', async () => {
    const child = runSnippet(snippets.folderOf(page), 'hooks-test.ts', {});
    expect((await outputOf(child)).trim().split('\n').at(-1)).toBe('204');
  });
});

describe('the calls of the API reference', () => {
  it('are all accepted by the endpoints that they name', async () => {
    const calls = shownCalls();
    expect(calls).toHaveLength(CALLED_COUNT);
    const responses = await runCalls(calls, opened);
    const faults = calls.map((call, at) => {
      const { status, body } = responses[at] ?? { status: 0, body: 'nothing' };
      return faultOf(call, status, body);
    });
    expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
  }, 120_000);
});
