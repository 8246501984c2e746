//! Rehearses an upgrade: this build starts sagas and holds them half-way; a worker of the next
//! build completes them, each effect once. The old worker is terminated or killed.
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServerProcess } from '../../../apps/cli/src/local-set.ts';
import {
  faults,
  openWorkerEnvironment,
  rest,
  type WorkerEnvironment,
  workerUrls,
} from './environment.ts';
import {
  checkHeld,
  type HeldPlan,
  type HeldSaga,
  openAll,
  operationOf,
  startHeld,
} from './held.ts';

/** Enough for the sagas that pass at once, on a busy machine; the held ones do not finish in it. */
const SHUTDOWN_MS = 8000;
/** By then the worker has received the signal. */
const SIGNALED_MS = 500;
const MARKER = 'next-build';
/** The check has one way of each worker's end; nightly runs have all four. */
const isWhole = process.env['TEST_WHOLE'] === 'on';

/** Every saga at some step in its middle, before and after its effect, with money moved or not. */
const PLANS: readonly HeldPlan[] = [
  { saga: 'create escrow', milestones: 0, step: 'create-escrow:deploy', way: 'after' },
  { saga: 'fund escrow', milestones: 0, step: 'fund-escrow:fund', way: 'before' },
  { saga: 'release', milestones: 0, step: 'release-order:release', way: 'after' },
  { saga: 'refund', milestones: 0, step: 'refund-order:resolve', way: 'before' },
  { saga: 'release', milestones: 3, step: 'release-order:release-2', way: 'before' },
  { saga: 'resolve SPLIT', milestones: 0, step: 'resolve-dispute:dispute', way: 'after' },
  { saga: 'release', milestones: 0, step: 'release-order:approve-1', way: 'lost' },
];

/** All orders ended correctly, and the auditor finds no fault. */
async function expectRight(
  environment: WorkerEnvironment,
  started: readonly HeldSaga[],
): Promise<void> {
  await rest(environment);
  for (const each of started) {
    expect(await checkHeld(environment, each)).toEqual([]);
    expect((await operationOf(environment, each)).status).toBe('DONE');
  }
  expect(await faults(environment)).toEqual([]);
}

/** Whether the next build has executed the operation. */
async function hasMarker(environment: WorkerEnvironment, each: HeldSaga): Promise<boolean> {
  return (await operationOf(environment, each)).steps.includes(MARKER);
}

describe.each([
  { where: 'at the same address', isMoving: false },
  { where: 'at an address of its own', isMoving: true },
])('a worker of the next build, $where', ({ isMoving }) => {
  let environment: WorkerEnvironment;
  let old: ServerProcess;
  let oldUrl: string;
  beforeAll(async () => {
    environment = await openWorkerEnvironment({
      HOLDFAST_SPARE_WALLETS: '0',
      HOLDFAST_SHUTDOWN_MS: String(SHUTDOWN_MS),
    });
    old = environment.worker;
    oldUrl = (await workerUrls(environment.restate))[0] ?? '';
  }, 120_000);
  afterAll(async () => {
    await environment?.stop();
  });
  const startNext = () => environment.startNextWorker(isMoving ? 0 : undefined);

  if (isWhole || isMoving)
    it('completes the sagas that a terminated worker does not end in time', async () => {
      const started = await startHeld(environment, PLANS);
      const [drained, left] = [started.slice(0, 3), started.slice(3)];
      const next = await startNext();
      const ended = old.kill('SIGTERM');
      await sleep(SIGNALED_MS);
      expect(await openAll(drained)).toEqual([true, true, true]);
      await ended;
      await openAll(left);
      await expectRight(environment, started);
      for (const each of drained) expect(await hasMarker(environment, each)).toBe(false);
      await expectResumed(left);
      await expectDeregistered();
      await next.kill('SIGTERM');
      old = await environment.startWorker();
    }, 240_000);

  if (isWhole || !isMoving)
    it('completes the sagas that a killed worker left', async () => {
      const started = await startHeld(environment, PLANS);
      await old.kill('SIGKILL');
      const next = await startNext();
      await openAll(started);
      await expectRight(environment, started);
      await expectResumed(started);
      await expectDeregistered();
      await next.kill('SIGTERM');
      old = await environment.startWorker();
    }, 240_000);

  /** The old worker may have retried one with a lost reply before it ended. */
  async function expectResumed(left: readonly HeldSaga[]): Promise<void> {
    for (const each of left.filter(({ way }) => way !== 'lost'))
      expect(await hasMarker(environment, each)).toBe(true);
  }

  /** Restate does not connect to the old worker's address while the next order runs. */
  async function expectDeregistered(): Promise<void> {
    if (!isMoving) return;
    let connections = 0;
    const listener = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    const { hostname, port } = new URL(oldUrl);
    await new Promise<void>((resolve) => listener.listen(Number(port), hostname, resolve));
    try {
      const started = await startHeld(environment, PLANS.slice(0, 1));
      await openAll(started);
      await expectRight(environment, started);
      expect(connections).toBe(0);
      expect(await workerUrls(environment.restate)).not.toContain(oldUrl);
    } finally {
      await new Promise((resolve) => listener.close(resolve));
    }
  }
});
