//! Every command and every program of every page, typed as a reader would, against a running set.
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { exampleEvent, exampleSecret, signWebhook } from '@holdfast/sdk/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePorts } from '../../apps/cli/src/local-restate.ts';
import { eventually } from '../../apps/server/src/testing/until.ts';
import { type Page, pagesWith, ROOT, readPage } from './pages.ts';
import { outputOf, stopped } from './program.ts';
import { CALLED_COUNT, faultOf, shownCalls } from './reference-calls.ts';
import { isShown, runCalls, runShell, shownAfter } from './shell.ts';
import { runSnippet, type Snippets, writeSnippets } from './snippets.ts';
import { openStage, type Stage } from './stage.ts';

const SAID_MS_MAX = 10_000;

let stage: Stage;
let snippets: Snippets;
let opening: Promise<Stage> | undefined;
beforeAll(async () => {
  opening = openStage();
  snippets = writeSnippets();
  stage = await opening;
}, 300_000);
afterAll(async () => {
  snippets?.remove();
  // Also when nobody waited for it any more.
  await (await opening?.catch(() => undefined))?.stop();
}, 300_000);

/** Tried by tests/guides, and as README's own by tests/quickstart. */
const ELSEWHERE = new Set(['docs/guides/events.md', 'docs/index.md']);
const pages = pagesWith('sh').filter(({ path }) => !ELSEWHERE.has(path));
/** Faults and the clock are the whole world's, so these have it for themselves. */
const isAlone = ({ blocks }: Page) => blocks.some(({ text }) => text.includes('/faults'));

async function check(page: Page): Promise<void> {
  for (const { block, output, shown } of await runShell(page, stage)) {
    const where = `${page.path}:${block.line}`;
    if (shown === undefined) expect(output, where).not.toContain('{"error":');
    else expect(isShown(shown, output), `${where} says\n${output}`).toBe(true);
  }
}

async function environment(): Promise<Record<string, string>> {
  const { apiKey } = await stage.openMarketplace();
  return { HOLDFAST_URL: stage.ready.api, HOLDFAST_API_KEY: apiKey };
}

describe('the commands, side by side, of', () => {
  it.concurrent.for(pages.filter((page) => !isAlone(page)))('$path', { timeout: 120_000 }, check);
});

describe('the commands, one after the other, of', () => {
  it.for(pages.filter(isAlone))('$path', { timeout: 120_000 }, check);
});

describe('the programs of the pages', () => {
  it('compile', () => expect(snippets.faults).toEqual([]));

  it('check an order out with the SDK', async () => {
    const page = readPage('docs/guides/orders.md');
    const [block] = page.blocks.filter(({ language }) => language === 'ts');
    const child = runSnippet(snippets.folderOf(page), 'main.ts', await environment());
    const output = await outputOf(child);
    expect(isShown(block ? (shownAfter(page, block) ?? '') : '', output), output).toBe(true);
  }, 60_000);

  it('consume events with the SDK', async () => {
    const env = await environment();
    const folder = snippets.folderOf(readPage('docs/guides/events.md'));
    const child = runSnippet(folder, 'consume-with-sdk.ts', env);
    let said = '';
    child.stdout?.on('data', (piece: Buffer) => {
      said += piece.toString();
    });
    const call = async (path: string, body: object) => {
      const answer = await fetch(`${env['HOLDFAST_URL']}/api/v1${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${env['HOLDFAST_API_KEY']}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      });
      return ((await answer.json()) as { data: { data: { id: string } } }).data.data.id;
    };
    const id = await call('/users', { externalUserId: 'ada' });
    await eventually(SAID_MS_MAX, async () => {
      // A first start begins with now, so it may miss what came before it was there.
      await call(`/users/${id}/balance/credit`, { amount: '1.00' });
      expect(said).toContain(`${id} `);
    });
    await stopped(child);
  }, 60_000);
});

it('has a program that arms faults and sets the clock', async () => {
  const folder = snippets.folderOf(readPage('docs/guides/testing.md'));
  const env = { HOLDFAST_SANDBOX_URL: stage.ready.sandbox ?? '' };
  expect(await outputOf(runSnippet(folder, 'world-test.ts', env))).toBe('');
});

it('is served at /docs, or says how to build it', async () => {
  const isBuilt = existsSync(join(ROOT, 'apps/docs/dist/index.html'));
  const answer = await fetch(`${stage.ready.api}/docs`);
  expect(answer.status).toBe(isBuilt ? 200 : 404);
  expect(await answer.text()).toContain(isBuilt ? '<html' : 'npm run build:docs');
  const posted = await fetch(`${stage.ready.api}/docs`, { method: 'POST' });
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

describe('the handlers of webhooks', () => {
  const page = readPage('docs/guides/webhook-handlers.md');
  const secret = exampleSecret();
  const event = exampleEvent('order.released', { amount: '114.00' });

  it.for(['server-express.ts', 'server-fastify.ts'])('%s', async (file) => {
    const [port] = await freePorts(1);
    const url = `http://127.0.0.1:${port}/hooks`;
    const env = { HOLDFAST_WEBHOOK_SECRET: secret, PORT: String(port) };
    const child: ChildProcess = runSnippet(snippets.folderOf(page), file, env);
    try {
      const right = await signWebhook(event, secret);
      const answer = await eventually(SAID_MS_MAX, () => fetch(url, { method: 'POST', ...right }));
      expect(answer.status).toBe(204);
      const wrong = await signWebhook(event, exampleSecret());
      expect((await fetch(url, { method: 'POST', ...wrong })).status).toBe(401);
    } finally {
      await stopped(child);
    }
  });

  it('route.ts, by the test that the page shows', async () => {
    const child = runSnippet(snippets.folderOf(page), 'hooks-test.ts', {});
    expect((await outputOf(child)).trim().split('\n').at(-1)).toBe('204');
  });
});

describe('the calls of the API reference', () => {
  it('are taken by the endpoints that they show, every one of them', async () => {
    const calls = shownCalls();
    expect(calls).toHaveLength(CALLED_COUNT);
    const answers = await runCalls(calls, stage);
    const faults = calls.map((call, at) => {
      const { status, body } = answers[at] ?? { status: 0, body: 'nothing' };
      return faultOf(call, status, body);
    });
    expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
  }, 120_000);
});
