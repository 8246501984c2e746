//! The guide to events: its commands work, and its consumer survives crashes.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LocalSet, startLocalSet } from '../../../apps/cli/src/local-set.ts';
import { call, poster, pullLog } from '../../harness/api.ts';
import { createUser } from '../../harness/people.ts';
import { within } from '../../harness/wait.ts';
import { readPage } from './pages.ts';
import { compile } from './snippets.ts';

const { blocks } = readPage('docs/guides/events.md');

function blocksOf(language: string): string[] {
  const ours = blocks.filter((block) => block.language === language && block.title === undefined);
  return ours.map(({ text }) => text);
}

/** The function that the guide leaves to the reader. */
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
  userId = await createUser(poster(set.ready), { externalUserId: 'ada' });
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
/** An event is sequenced a little after its change. */
const untilLogged = (type: string) =>
  until(async () => {
    const log = await call(set.ready, { path: '/events/log' });
    return log.bytes.includes(type);
  });

it('has a consumer that compiles', () => {
  expect(blocksOf('ts')).toHaveLength(1);
  expect(compile([program()], ['lib.esnext.d.ts'])).toEqual([]);
});

it('has commands that return events', async () => {
  await credit(1);
  await untilLogged('balance.credited');
  const { api, apiKey } = set.ready;
  const anHourAgo = new Date(Date.now() - 3_600_000).toISOString();
  const commands = blocksOf('sh').map((text) =>
    text.trim().replace('2026-11-15T00:00:00Z', anHourAgo),
  );
  const outputs = commands.map((command) => {
    const env = { ...process.env, HOLDFAST_URL: api, HOLDFAST_API_KEY: apiKey };
    // The stream has no end, so curl stops after two seconds and reports an error.
    const limited = `${command} --silent --max-time 2 || true`;
    return execFileSync('sh', ['-c', limited], { env, encoding: 'utf8' });
  });
  expect(outputs).toHaveLength(2);
  for (const output of outputs) expect(output).toContain('"eventType":"balance.credited"');
});

it('has a consumer that misses no event when it or the api crashes', async () => {
  const received: string[] = [];
  const { api, apiKey } = set.ready;
  const start = (): ChildProcess => {
    const child = spawn(process.execPath, [program()], {
      cwd: folder,
      env: { ...process.env, HOLDFAST_URL: api, HOLDFAST_API_KEY: apiKey },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      received.push((JSON.parse(line) as { eventId: string }).eventId);
    });
    return child;
  };
  const stop = async (child: ChildProcess) => {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  // The cursor of an earlier run; a first run would start from now.
  const began = new Date().toISOString();
  writeFileSync(join(folder, 'cursor'), began);
  const first = start();
  await credit(5);
  await until(() => received.length >= 5);
  await stop(first);
  await credit(5);
  const second = start();
  await until(() => received.length >= 10);
  await set.apis[0]?.kill('SIGKILL');
  await set.startApi(Number(new URL(set.ready.api).port));
  await credit(5);
  await until(() => new Set(received).size >= 15);
  await stop(second);
  const log = await pullLog((path) => call(set.ready, { path }), began);
  expect(log).toHaveLength(15);
  expect([...new Set(received)]).toEqual(log.map(({ eventId }) => eventId));
}, 60_000);
