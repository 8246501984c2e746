//! Emits events of a marketplace while `holdfast listen` is killed and restarted, and compares the
//! handler's events with the log.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTemporaryFolder } from '../../../apps/cli/src/temporary-folder.ts';
import { Holdfast } from '../../../packages/sdk/src/index.ts';
import { exampleSecret } from '../../../packages/sdk/src/testing.ts';
import { HOLDFAST } from '../../harness/command-line.ts';
import { randomOf, type SeededRandom } from '../../harness/random.ts';
import { openSet } from '../../harness/set.ts';
import { within } from '../../harness/wait.ts';
import { type Handler, startHandler } from './handler.ts';

export interface ListenOptions {
  readonly events: number;
  readonly kills: number;
  readonly seed: number;
  readonly print?: (text: string) => void;
}

export interface ListenVerdict {
  readonly events: number;
  readonly kills: number;
  /** Events in the log that the handler never accepted. */
  readonly missing: number;
  /** First arrivals out of the order of the log. */
  readonly outOfOrder: number;
  readonly repeats: number;
  readonly failedResponses: number;
  readonly unsigned: number;
  readonly seconds: number;
}

const DRAIN_MS_MAX = 120_000;
const START_MS_MAX = 60_000;

export async function runListen(options: ListenOptions): Promise<ListenVerdict> {
  const { events, kills, seed, print = () => undefined } = options;
  const random = randomOf(seed, 2);
  await using cleanup = new AsyncDisposableStack();
  const { path: folder } = cleanup.use(createTemporaryFolder('holdfast-listen'));
  const env = { HOLDFAST_RATE_LIMIT: 'off' };
  const set = cleanup.use(await openSet({ sandbox: 'none', env }));
  const secret = exampleSecret();
  const handler = await startHandler(secret, seed);
  cleanup.defer(handler.close);
  const { api: baseUrl, apiKey } = set;
  const holdfast = new Holdfast({ baseUrl, apiKey });
  const startedAt = performance.now();
  const { id: userId } = await holdfast.users.create({ externalUserId: 'ada' });
  const start = () => startListener(folder, { baseUrl, apiKey, secret, to: handler.url });
  let listener = await start();
  cleanup.defer(async () => void listener.kill('SIGKILL'));
  const since = await holdfast.events.now();
  const making = createEvents(holdfast, userId, events);
  for (let killed = 1; killed <= kills; killed += 1) {
    await untilSomeCame(handler, (events * killed) / (kills + 1), random);
    listener.kill('SIGKILL');
    await once(listener, 'exit');
    print(`killed ${killed}: ${handler.taken.size} of ${events} delivered`);
    listener = await start();
  }
  await making;
  await until(() => handler.taken.size >= events, DRAIN_MS_MAX);
  const log = await holdfast.events.log({ after: since, limit: 100 }).toArray();
  const created = log.map(({ eventId }) => eventId);
  const seconds = (performance.now() - startedAt) / 1000;
  return { ...compare(created, handler), kills, seconds };
}

interface Target {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly secret: string;
  readonly to: string;
}

/** Starts it as a person would; ready when it prints where its events go. */
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

/** Emits events fast enough that there is always a delivery in progress. */
async function createEvents(holdfast: Holdfast, userId: string, count: number): Promise<void> {
  for (let created = 0; created < count; created += 1) {
    await holdfast.balances.credit(userId, { amount: '1.00', reference: `event-${created}` });
    await sleep(5);
  }
}

/**
 * Waits for about this many arrivals, and a random time more. The kill then hits a delivery in
 * progress: between a response and the cursor, or in mid-request.
 */
async function untilSomeCame(
  { first }: Handler,
  about: number,
  random: SeededRandom,
): Promise<void> {
  const wanted = about + random.below(10) - 5;
  await until(() => first.length >= wanted, DRAIN_MS_MAX);
  await sleep(random.below(10));
}

async function until(isSo: () => boolean, msMax: number): Promise<void> {
  if (!(await within(msMax, isSo, 5))) throw new Error('the events did not arrive in time');
}

function compare(created: readonly string[], handler: Handler) {
  const { first, taken, refused } = handler;
  const outOfOrder = created.filter((id, at) => first[at] !== id).length;
  const deliveries = [...taken.values()].reduce((sum, times) => sum + times, 0);
  return {
    events: created.length,
    missing: created.filter((id) => !taken.has(id)).length,
    outOfOrder,
    repeats: deliveries - taken.size,
    failedResponses: refused.failed,
    unsigned: refused.unsigned,
  };
}
