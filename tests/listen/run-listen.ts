//! Lets a marketplace make events while `holdfast listen` is killed and started again, and compares
//! what the handler got with the log.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Holdfast } from '../../packages/sdk/src/index.ts';
import { exampleSecret } from '../../packages/sdk/src/testing.ts';
import { type Chance, chanceOf } from '../harness/chance.ts';
import { HOLDFAST } from '../harness/command-line.ts';
import { openSet } from '../harness/set.ts';
import { within } from '../harness/wait.ts';
import { type Handler, startHandler } from './handler.ts';

export interface ListenOptions {
  readonly events: number;
  readonly kills: number;
  readonly seed: number;
  readonly say?: (text: string) => void;
}

export interface ListenVerdict {
  readonly events: number;
  readonly kills: number;
  /** In the log and never taken by the handler. */
  readonly missing: number;
  /** First arrivals that did not come in the order of the log. */
  readonly outOfOrder: number;
  readonly repeats: number;
  readonly failedAnswers: number;
  readonly unsigned: number;
  readonly seconds: number;
}

const DRAIN_MS_MAX = 120_000;
const START_MS_MAX = 60_000;

export async function runListen(options: ListenOptions): Promise<ListenVerdict> {
  const { events, kills, seed, say = () => undefined } = options;
  const chance = chanceOf(seed, 2);
  await using begun = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-listen-'));
  begun.defer(async () => rmSync(folder, { recursive: true, force: true }));
  const set = await openSet({ sandbox: 'none', env: { HOLDFAST_RATE_LIMIT: 'off' } });
  begun.defer(() => set.stop());
  const secret = exampleSecret();
  const handler = await startHandler(secret, seed);
  begun.defer(handler.close);
  const { api: baseUrl, apiKey } = set;
  const holdfast = new Holdfast({ baseUrl, apiKey });
  const begunAt = performance.now();
  const { id: userId } = await holdfast.users.create({ externalUserId: 'ada' });
  const start = () => startListener(folder, { baseUrl, apiKey, secret, to: handler.url });
  let listener = await start();
  begun.defer(async () => void listener.kill('SIGKILL'));
  const since = await holdfast.events.now();
  const making = makeEvents(holdfast, userId, events);
  for (let killed = 1; killed <= kills; killed += 1) {
    await untilSomeCame(handler, (events * killed) / (kills + 1), chance);
    listener.kill('SIGKILL');
    await once(listener, 'exit');
    say(`killed ${killed}: ${handler.taken.size} of ${events} were taken`);
    listener = await start();
  }
  await making;
  await until(() => handler.taken.size >= events, DRAIN_MS_MAX);
  const log = await holdfast.events.log({ after: since, limit: 100 }).toArray();
  const made = log.map(({ eventId }) => eventId);
  const seconds = (performance.now() - begunAt) / 1000;
  return { ...compare(made, handler), kills, seconds };
}

interface Target {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly secret: string;
  readonly to: string;
}

/** As a person would start it; ready when it says where its events go. */
async function startListener(folder: string, target: Target): Promise<ChildProcess> {
  const args = ['listen', '--forward-to', target.to, '--secret', target.secret, '--json'];
  const { PATH } = process.env;
  const child = spawn(process.execPath, [...HOLDFAST, ...args], {
    cwd: folder,
    env: { PATH, HOLDFAST_URL: target.baseUrl, HOLDFAST_API_KEY: target.apiKey },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout as NodeJS.ReadableStream, 'data', {
    signal: AbortSignal.timeout(START_MS_MAX),
  });
  child.stdout?.resume();
  return child;
}

/** So many at a time that there is always something under way. */
async function makeEvents(holdfast: Holdfast, userId: string, count: number): Promise<void> {
  for (let made = 0; made < count; made += 1) {
    await holdfast.balances.credit(userId, { amount: '1.00', reference: `event-${made}` });
    await sleep(5);
  }
}

/** Killed with something on its way: between an answer and the cursor, or in mid-request. */
async function untilSomeCame({ first }: Handler, about: number, chance: Chance): Promise<void> {
  const wanted = about + chance.below(10) - 5;
  await until(() => first.length >= wanted, DRAIN_MS_MAX);
  await sleep(chance.below(10));
}

async function until(isSo: () => boolean, msMax: number): Promise<void> {
  if (!(await within(msMax, isSo, 5))) throw new Error('it did not come in time');
}

function compare(made: readonly string[], handler: Handler) {
  const { first, taken, refused } = handler;
  const outOfOrder = made.filter((id, at) => first[at] !== id).length;
  const deliveries = [...taken.values()].reduce((sum, times) => sum + times, 0);
  return {
    events: made.length,
    missing: made.filter((id) => !taken.has(id)).length,
    outOfOrder,
    repeats: deliveries - taken.size,
    failedAnswers: refused.failed,
    unsigned: refused.unsigned,
  };
}
