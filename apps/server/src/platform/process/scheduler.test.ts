//! Tests of job scheduling: at intervals, and woken by events.
import { expect, it, onTestFinished } from 'vitest';
import { eventually } from '../../testing/until.ts';
import { createLog } from './log.ts';
import { type Job, type JobRunSettings, runJobs } from './scheduler.ts';
import { Waker } from './waker.ts';

const app = {
  log: createLog('silent', 'worker'),
  config: { HOLDFAST_DEPOSIT_POLL_MS: 2 ** 30 },
};

/** Ends with the test; `runs` says how often it ran. */
function start(overrides: Partial<Job<typeof app>>, settings?: JobRunSettings) {
  const state = { runs: 0 };
  const job: Job<typeof app> = {
    name: 'count',
    everyMs: 5,
    description: 'counts its runs',
    emits: [],
    run: async () => {
      state.runs += 1;
      return 0;
    },
    ...overrides,
  };
  const running = runJobs(app, [job], settings);
  onTestFinished(() => running.stop());
  return state;
}

/** Waits for this many runs of a steady job: a measure of time for slow machines too. */
async function whileSteady(runs: number): Promise<void> {
  const steady = start({});
  await eventually(60_000, () => expect(steady.runs).toBeGreaterThan(runs));
}

it('runs a job at its interval, with or without work found', async () => {
  const state = start({}, { waker: new Waker() });
  await eventually(60_000, () => expect(state.runs).toBeGreaterThan(5));
});

it('takes an interval from its setting', async () => {
  const state = start({ everyMs: 'HOLDFAST_DEPOSIT_POLL_MS' });
  await whileSteady(50);
  expect(state.runs).toBe(1);
});

it('runs a job as soon as its need is met, however long its interval is', async () => {
  let isMet = false;
  const state = start({ everyMs: 'HOLDFAST_DEPOSIT_POLL_MS' }, { isMet: () => isMet });
  await whileSteady(10);
  expect(state.runs).toBe(0);
  isMet = true;
  await eventually(60_000, () => expect(state.runs).toBe(1));
});

it('idles a job that events wake, and still runs it now and then', async () => {
  const state = start({ isWokenByEvents: true }, { waker: new Waker() });
  const startedAt = performance.now();
  await whileSteady(50);
  // Twice a second at most, and once at the start.
  expect(state.runs).toBeLessThanOrEqual(2 + (performance.now() - startedAt) / 500);
  await eventually(60_000, () => expect(state.runs).toBeGreaterThan(3));
});

it('wakes the job at once, and runs it more often for a while', async () => {
  const waker = new Waker();
  const state = start({ isWokenByEvents: true }, { waker });
  await whileSteady(10);
  waker.wake();
  await whileSteady(50);
  expect(state.runs).toBeGreaterThan(20);
});

it('misses no wake-up that comes while it runs', async () => {
  const waker = new Waker();
  const first = Promise.withResolvers<number>();
  let runs = 0;
  const run = () => {
    runs += 1;
    return runs === 1 ? first.promise : Promise.resolve(0);
  };
  start({ isWokenByEvents: true, run }, { waker });
  waker.wake();
  first.resolve(0);
  await whileSteady(50);
  expect(runs).toBeGreaterThan(20);
});

it('can be stopped while it idles', async () => {
  const stopping = new AbortController();
  const resting = new Waker().wait(2 ** 30, stopping.signal);
  stopping.abort();
  await resting;
});
