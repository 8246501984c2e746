import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemCall } from '../platform/call.ts';
import { watchFailpoints } from '../platform/failpoint.ts';
import { type EngineWorld, openEngineWorld, stopRestate } from '../testing/engine.ts';
import { openToy, type ToyRequest, toySaga, traceOf } from '../testing/toy-saga.ts';
import { until } from '../testing/until.ts';
import type { Market } from '../testing/world.ts';
import { driveOnce } from './drive.ts';
import type { Operation } from './operation.ts';
import { sagasOf } from './saga.ts';

let world: EngineWorld;
let market: Market;
let workers: Awaited<ReturnType<EngineWorld['startWorker']>>[] = [];
beforeAll(async () => {
  world = await openEngineWorld();
  market = await world.market();
});
afterEach(async () => {
  await Promise.all(workers.map((each) => each.kill('SIGKILL')));
  workers = [];
});
afterAll(async () => {
  await world.close();
  await stopRestate();
});

const startWorker = async (env?: Record<string, string>) => {
  const worker = await world.startWorker(env);
  workers.push(worker);
  return worker;
};
const open = (request: ToyRequest = {}) => openToy(world.app, market.call, request);
const DONE = {
  status: 'DONE',
  lines: ['between', 'settle'],
  effects: { one: 1, two: 1, three: 1 },
};
const isDone = async (operation: Operation) => (await traceOf(world, operation)).status === 'DONE';

/** Every place that a drive passes. */
async function placesOf(): Promise<string[]> {
  const places = new Set<string>();
  watchFailpoints((name) => places.add(name));
  const { marketplace, id, epoch } = await open();
  const sagas = sagasOf([toySaga<typeof world.app>()]);
  await driveOnce(world.app, sagas, systemCall(marketplace), { operationId: id, epoch });
  watchFailpoints(undefined);
  return [...places];
}

/** Workers that die at the places which the folder names. Whoever has died is replaced. */
function keepWorkers(count: number, folder: string) {
  let [alive, isOver] = [0, false];
  const keepOne = async () => {
    while (!isOver) {
      // One may take work up, and die of it, before it has said that it is ready.
      const worker = await startWorker({ HOLDFAST_FAILPOINT: folder }).catch(() => undefined);
      if (worker === undefined) continue;
      alive += 1;
      if (isOver) await worker.kill('SIGKILL');
      await worker.gone;
      alive -= 1;
    }
  };
  const kept = Array.from({ length: count }, keepOne);
  return {
    areTwoAlive: async () => alive >= 2,
    stop: async () => {
      isOver = true;
      await Promise.all(workers.map((each) => each.kill('SIGKILL')));
      await Promise.all(kept);
    },
  };
}

describe('a worker that is killed', () => {
  it('at any place of a drive: another ends it, and the caller sees only the answer', async () => {
    const places = await placesOf();
    expect(places.length).toBeGreaterThan(15);
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-places-'));
    // While one dies and another ends its work, a third is being started.
    const { areTwoAlive, stop } = keepWorkers(3, folder);
    try {
      for (const place of places) {
        await until(areTwoAlive, 60_000);
        const call = { ...market.call, requestId: randomUUID() };
        // Whoever of them drives it dies there, once.
        const order = join(folder, call.requestId);
        writeFileSync(order, place);
        const operation = await openToy(world.app, call);
        await world.app.engine.drive(operation);
        expect({ place, isCarriedOut: !existsSync(order) }).toEqual({ place, isCarriedOut: true });
        expect({ place, ...(await traceOf(world, operation)) }).toMatchObject({ place, ...DONE });
      }
    } finally {
      await stop();
      rmSync(folder, { recursive: true });
    }
  }, 300_000);

  it('in the middle of many: the one beside it ends them all', async () => {
    const first = await startWorker();
    await startWorker();
    const operations = await Promise.all(
      Array.from({ length: 20 }, () => open({ plan: { two: { ms: 300 } } })),
    );
    const driven = operations.map((each) => world.app.engine.drive(each));
    await sleep(250);
    await first.kill('SIGKILL');
    await Promise.all(driven);
    for (const each of operations) expect(await traceOf(world, each)).toMatchObject(DONE);
  });
});

describe('a worker that is frozen', () => {
  it('loses its operations to another, and writes nothing when it wakes', async () => {
    const frozen = await startWorker();
    const operation = await open({ plan: { one: { ms: 500 } } });
    await world.app.engine.submit(operation);
    await until(async () => (await traceOf(world, operation)).asked['one'] === 1);
    process.kill(frozen.pid, 'SIGSTOP');
    await startWorker();
    // The frozen one still takes its share of connections to their port; each costs seconds.
    await until(() => isDone(operation), 75_000);
    const before = await traceOf(world, operation);
    expect(before).toMatchObject({ ...DONE, attempts: expect.any(Number) });
    process.kill(frozen.pid, 'SIGCONT');
    await sleep(1500);
    expect(await traceOf(world, operation)).toEqual(before);
  }, 90_000);
});

describe('a Restate that has lost everything', () => {
  it('in mid-run: the sweeper has all of it driven again under a new epoch', async () => {
    await startWorker();
    await startWorker();
    // Some wait for their next try, some are being driven.
    const waiting = await open({ plan: { two: { unknown: 2 } } });
    await expect(world.app.engine.drive(waiting)).rejects.toMatchObject({
      code: 'PROVIDER_TIMEOUT',
    });
    const driven = await open({ plan: { one: { ms: 1500 } } });
    await world.app.engine.submit(driven);
    await until(async () => (await traceOf(world, driven)).attempts === 1);
    await world.restate.kill('SIGKILL');
    await world.restate.start({ wiped: true });
    await until(() => isDone(waiting), 40_000);
    await until(() => isDone(driven), 40_000);
    expect(await traceOf(world, waiting)).toMatchObject(DONE);
    expect(await traceOf(world, driven)).toMatchObject(DONE);
    expect((await traceOf(world, waiting)).epoch).toBeGreaterThan(1);
  }, 90_000);
});
