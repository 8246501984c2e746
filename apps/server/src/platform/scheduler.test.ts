//! When jobs run: at their interval, and those that events wake as soon as one comes.
import { expect, it, onTestFinished } from 'vitest';
import { eventually } from '../testing/until.ts';
import { makeLog } from './log.ts';
import { type Job, runJobs } from './scheduler.ts';
import { Waker } from './waker.ts';

const app = { log: makeLog('silent', 'worker') };

/** Ends with the test; `runs` says how often it ran. */
function start(parts: Partial<Job<typeof app>>, waker?: Waker) {
  const state = { runs: 0 };
  const job: Job<typeof app> = {
    name: 'count',
    everyMs: 5,
    means: 'counts its runs',
    emits: [],
    run: async () => {
      state.runs += 1;
      return 0;
    },
    ...parts,
  };
  const running = runJobs(app, [job], waker);
  onTestFinished(() => running.stop());
  return state;
}

/** Of a job that runs every time, so many times; others are measured by it, however slow we are. */
async function whileSteady(runs: number): Promise<void> {
  const steady = start({});
  await eventually(60_000, () => expect(steady.runs).toBeGreaterThan(runs));
}

it('runs a job at its interval, whatever it found', async () => {
  const state = start({}, new Waker());
  await eventually(60_000, () => expect(state.runs).toBeGreaterThan(5));
});

it('lets a job that events wake rest while none come, and look by itself all the same', async () => {
  const state = start({ isWokenByEvents: true }, new Waker());
  const begun = performance.now();
  await whileSteady(50);
  // Twice a second at most, and once at the start.
  expect(state.runs).toBeLessThanOrEqual(2 + (performance.now() - begun) / 500);
  await eventually(60_000, () => expect(state.runs).toBeGreaterThan(3));
});

it('wakes it at once, and keeps it lively for a while', async () => {
  const waker = new Waker();
  const state = start({ isWokenByEvents: true }, waker);
  await whileSteady(10);
  waker.wake();
  await whileSteady(50);
  expect(state.runs).toBeGreaterThan(20);
});

it('misses no call that comes while it runs', async () => {
  const waker = new Waker();
  const first = Promise.withResolvers<number>();
  let runs = 0;
  const run = () => {
    runs += 1;
    return runs === 1 ? first.promise : Promise.resolve(0);
  };
  start({ isWokenByEvents: true, run }, waker);
  waker.wake();
  first.resolve(0);
  await whileSteady(50);
  expect(runs).toBeGreaterThan(20);
});

it('is called off while it rests', async () => {
  const stopping = new AbortController();
  const resting = new Waker().wait(2 ** 30, stopping.signal);
  stopping.abort();
  await resting;
});
