//! The guide to events, done as it says: its commands, and its consumer through crashes.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LocalSet, startLocalSet } from '../../apps/cli/src/local-set.ts';
import { readPage } from '../docs/pages.ts';
import { compile } from '../docs/snippets.ts';
import { ask, poster, pullLog } from '../harness/api.ts';
import { makeUser } from '../harness/people.ts';
import { within } from '../harness/wait.ts';

const { blocks } = readPage('docs/guides/events.md');

function blocksOf(language: string): string[] {
  const ours = blocks.filter((block) => block.language === language && block.title === undefined);
  return ours.map(({ text }) => text);
}

/** What is left to the reader. */
const HANDLE = `async function handle(event: { eventId: string }): Promise<void> {
  console.log(JSON.stringify(event));
}`;

let set: LocalSet;
let folder: string;
let userId: string;
const program = () => join(folder, 'consumer.ts');

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-guide-'));
  writeFileSync(program(), `${blocksOf('ts').join('\n')}\n${HANDLE}`);
  set = await startLocalSet({
    port: 0,
    sandbox: false,
    quiet: true,
    env: { HOLDFAST_RATE_LIMIT: 'off' },
  });
  userId = await makeUser(poster(set.ready), { externalUserId: 'ada' });
  await untilLogged('user.created');
});
afterAll(async () => {
  await set?.stop();
  rmSync(folder, { recursive: true });
});

async function credit(times: number): Promise<void> {
  for (let time = 0; time < times; time += 1)
    await poster(set.ready)(`/users/${userId}/balance/credit`, { amount: '1.00' });
}

const until = (isSo: () => boolean | Promise<boolean>) => within(10_000, isSo, 25);
/** An event has its place in the log a little after its change was made. */
const untilLogged = (type: string) =>
  until(async () => {
    const log = await ask(set.ready, { path: '/events/log' });
    return log.bytes.includes(type);
  });

it('has a consumer that compiles', () => {
  expect(blocksOf('ts')).toHaveLength(1);
  expect(compile([program()], ['lib.esnext.d.ts'])).toEqual([]);
});

it('has commands that answer', async () => {
  await credit(1);
  await untilLogged('balance.credited');
  const { api, apiKey } = set.ready;
  const anHourAgo = new Date(Date.now() - 3_600_000).toISOString();
  const commands = blocksOf('sh').map((text) =>
    text.trim().replace('http://127.0.0.1:4400', api).replace('2026-11-15T00:00:00Z', anHourAgo),
  );
  const outputs = commands.map((command) => {
    const env = { ...process.env, API_KEY: apiKey };
    // A stream ends when the caller has had enough, which curl takes for a fault.
    const limited = `${command} --silent --max-time 2 || true`;
    return execFileSync('sh', ['-c', limited], { env, encoding: 'utf8' });
  });
  expect(outputs).toHaveLength(2);
  for (const output of outputs) expect(output).toContain('"eventType":"balance.credited"');
});

it('has a consumer that misses nothing, whoever crashes', async () => {
  const heard: string[] = [];
  const start = (): ChildProcess => {
    const child = spawn(process.execPath, [program(), set.ready.api], {
      cwd: folder,
      env: { ...process.env, API_KEY: set.ready.apiKey },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      heard.push((JSON.parse(line) as { eventId: string }).eventId);
    });
    return child;
  };
  const stop = async (child: ChildProcess) => {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  // As it was left by an earlier run: a first one begins with its own now.
  const began = new Date().toISOString();
  writeFileSync(join(folder, 'cursor'), began);
  const first = start();
  await credit(5);
  await until(() => heard.length >= 5);
  await stop(first);
  await credit(5);
  const second = start();
  await until(() => heard.length >= 10);
  const [api] = set.apis;
  await api?.kill('SIGKILL');
  await set.startApi(Number(new URL(set.ready.api).port));
  await credit(5);
  await until(() => new Set(heard).size >= 15);
  await stop(second);
  const log = await pullLog((path) => ask(set.ready, { path }), began);
  expect(log).toHaveLength(15);
  expect([...new Set(heard)]).toEqual(log.map(({ eventId }) => eventId));
}, 60_000);
