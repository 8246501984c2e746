//! An upgrade, rehearsed: sagas that this build began and holds in the middle are ended by a worker
//! of a next build, each effect once. The old worker is ended kindly, or killed.
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServerProcess } from '../../apps/cli/src/local-set.ts';
import { beginHeld, driven, type HeldPlan, type HeldSaga, judge, openAll } from './held.ts';
import { faults, openWorkerStage, rest, type WorkerStage, workerUrls } from './stage.ts';

/** Enough for what is let pass at once, on a busy machine; what is held has it in vain. */
const SHUTDOWN_MS = 5000;
/** By then a worker has heard that it is to end. */
const TOLD_MS = 500;
const MARKER = 'next-build';

/** Every saga somewhere in its middle, before and after its effect, money moved and not. */
const PLANS: readonly HeldPlan[] = [
  { saga: 'create escrow', milestones: 0, step: 'create-escrow:deploy', way: 'after' },
  { saga: 'fund escrow', milestones: 0, step: 'fund-escrow:fund', way: 'before' },
  { saga: 'release', milestones: 0, step: 'release-order:release', way: 'after' },
  { saga: 'refund', milestones: 0, step: 'refund-order:resolve', way: 'before' },
  { saga: 'release', milestones: 3, step: 'release-order:release-2', way: 'before' },
  { saga: 'resolve SPLIT', milestones: 0, step: 'resolve-dispute:dispute', way: 'after' },
  { saga: 'release', milestones: 0, step: 'release-order:approve-1', way: 'lost' },
];

/** All orders ended right, and the auditor finds nothing. */
async function expectRight(stage: WorkerStage, begun: readonly HeldSaga[]): Promise<void> {
  await rest(stage);
  for (const each of begun) {
    expect(await judge(stage, each)).toEqual([]);
    expect((await driven(stage, each)).status).toBe('DONE');
  }
  expect(await faults(stage)).toEqual([]);
}

/** Whether the next build drove it on. */
async function hasMarker(stage: WorkerStage, each: HeldSaga): Promise<boolean> {
  return (await driven(stage, each)).steps.includes(MARKER);
}

describe.each([
  { where: 'at the same address', isMoving: false },
  { where: 'at an address of its own', isMoving: true },
])('a worker of the next build, $where', ({ isMoving }) => {
  let stage: WorkerStage;
  let old: ServerProcess;
  let oldUrl: string;
  beforeAll(async () => {
    stage = await openWorkerStage({
      HOLDFAST_SPARE_WALLETS: '0',
      HOLDFAST_SHUTDOWN_MS: String(SHUTDOWN_MS),
    });
    old = stage.worker;
    oldUrl = (await workerUrls(stage.restate))[0] ?? '';
  }, 120_000);
  afterAll(async () => {
    await stage?.stop();
  });
  const startNext = () => stage.startNextWorker(isMoving ? 0 : undefined);

  it('goes on with what one that is told to end does not end in time', async () => {
    const begun = await beginHeld(stage, PLANS);
    const [drained, left] = [begun.slice(0, 3), begun.slice(3)];
    const next = await startNext();
    const ended = old.kill('SIGTERM');
    await sleep(TOLD_MS);
    expect(await openAll(drained)).toEqual([true, true, true]);
    await ended;
    await openAll(left);
    await expectRight(stage, begun);
    for (const each of drained) expect(await hasMarker(stage, each)).toBe(false);
    await expectDrivenOn(left);
    await expectForgotten();
    await next.kill('SIGTERM');
    old = await stage.startWorker();
  }, 240_000);

  it('goes on with what one that is killed was at', async () => {
    const begun = await beginHeld(stage, PLANS);
    await old.kill('SIGKILL');
    const next = await startNext();
    await openAll(begun);
    await expectRight(stage, begun);
    await expectDrivenOn(begun);
    await expectForgotten();
    await next.kill('SIGTERM');
    old = await stage.startWorker();
  }, 240_000);

  /** One that was only lost may have been looked for before the old one ended. */
  async function expectDrivenOn(left: readonly HeldSaga[]): Promise<void> {
    for (const each of left.filter(({ way }) => way !== 'lost'))
      expect(await hasMarker(stage, each)).toBe(true);
  }

  /** Nobody asks where the old worker was, while the next order goes its way. */
  async function expectForgotten(): Promise<void> {
    if (!isMoving) return;
    let asked = 0;
    const listener = createServer((socket) => {
      asked += 1;
      socket.destroy();
    });
    const { hostname, port } = new URL(oldUrl);
    await new Promise<void>((resolve) => listener.listen(Number(port), hostname, resolve));
    try {
      const begun = await beginHeld(stage, PLANS.slice(0, 1));
      await openAll(begun);
      await expectRight(stage, begun);
      expect(asked).toBe(0);
      expect(await workerUrls(stage.restate)).not.toContain(oldUrl);
    } finally {
      await new Promise((resolve) => listener.close(resolve));
    }
  }
});
