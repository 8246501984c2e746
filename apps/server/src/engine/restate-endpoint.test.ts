import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { systemCall } from '../platform/call.ts';
import { watchFailpoints } from '../platform/process/failpoint.ts';
import { type EngineWorld, useEngineWorld } from '../testing/engine.ts';
import { openToy, type ToyRequest, toySaga, traceOf } from '../testing/toy-saga.ts';
import { until } from '../testing/until.ts';
import { executeOnce } from './attempt.ts';
import type { Operation } from './operation.ts';
import { sagasOf } from './saga.ts';

const { world, market } = useEngineWorld();
let workers: Awaited<ReturnType<EngineWorld['startWorker']>>[] = [];
afterEach(async () => {
  await Promise.all(workers.map((each) => each.kill('SIGKILL')));
  workers = [];
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

/** Every crash point that an attempt passes. */
async function findCrashPoints(): Promise<string[]> {
  const crashPoints = new Set<string>();
  watchFailpoints((name) => crashPoints.add(name));
  const { marketplace, id, epoch } = await open();
  const sagas = sagasOf([toySaga<typeof world.app>()]);
  await executeOnce(world.worker, sagas, systemCall(marketplace), { operationId: id, epoch });
  watchFailpoints(undefined);
  return [...crashPoints];
}

/** Runs workers that die at the crash points named in the folder, and replaces the dead ones. */
function maintainWorkers(count: number, folder: string) {
  let [alive, isOver] = [0, false];
  const maintainOne = async () => {
    while (!isOver) {
      // A worker may take work and die of it before it reports that it is ready.
      const worker = await startWorker({ HOLDFAST_FAILPOINT: folder }).catch(() => undefined);
      if (worker === undefined) continue;
      alive += 1;
      if (isOver) await worker.kill('SIGKILL');
      await worker.gone;
      alive -= 1;
    }
  };
  const loops = Array.from({ length: count }, maintainOne);
  return {
    areTwoAlive: async () => alive >= 2,
    stop: async () => {
      isOver = true;
      await Promise.all(workers.map((each) => each.kill('SIGKILL')));
      await Promise.all(loops);
    },
  };
}

describe('killing a worker', () => {
  it('at any crash point lets another finish, and the caller sees only the result', async () => {
    const crashPoints = await findCrashPoints();
    expect(crashPoints.length).toBeGreaterThan(15);
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-places-'));
    // While one dies and another finishes its work, a third is starting.
    const { areTwoAlive, stop } = maintainWorkers(3, folder);
    try {
      for (const crashPoint of crashPoints) {
        await until(areTwoAlive, 60_000);
        const call = { ...market.call, requestId: randomUUID() };
        // The worker that executes it dies there, once.
        const order = join(folder, call.requestId);
        writeFileSync(order, crashPoint);
        const operation = await openToy(world.app, call);
        await world.app.engine.execute(operation);
        expect({ crashPoint: crashPoint, isCarriedOut: !existsSync(order) }).toEqual({
          crashPoint: crashPoint,
          isCarriedOut: true,
        });
        expect({ crashPoint: crashPoint, ...(await traceOf(world, operation)) }).toMatchObject({
          crashPoint: crashPoint,
          ...DONE,
        });
      }
    } finally {
      await stop();
      rmSync(folder, { recursive: true });
    }
  }, 300_000);

  it('among many operations lets the worker beside it finish them all', async () => {
    const first = await startWorker();
    await startWorker();
    const operations = await Promise.all(
      Array.from({ length: 20 }, () => open({ plan: { two: { ms: 300 } } })),
    );
    const running = operations.map((each) => world.app.engine.execute(each));
    await sleep(250);
    await first.kill('SIGKILL');
    await Promise.all(running);
    for (const each of operations) expect(await traceOf(world, each)).toMatchObject(DONE);
  });
});

describe('freezing a worker', () => {
  it('hands its operations to another, and it writes nothing when it wakes', async () => {
    const frozen = await startWorker();
    const operation = await open({ plan: { one: { ms: 500 } } });
    await world.app.engine.submit(operation);
    await until(async () => (await traceOf(world, operation)).calls['one'] === 1);
    process.kill(frozen.pid, 'SIGSTOP');
    await startWorker();
    // The frozen worker still accepts its share of connections to their port; each costs seconds.
    await until(() => isDone(operation), 75_000);
    const before = await traceOf(world, operation);
    expect(before).toMatchObject({ ...DONE, attempts: expect.any(Number) });
    process.kill(frozen.pid, 'SIGCONT');
    await sleep(1500);
    expect(await traceOf(world, operation)).toEqual(before);
  }, 90_000);
});

it('leaves no handler to the retries of Restate, which could pause it for good', async () => {
  await startWorker();
  const response = await fetch(`${world.restate.adminUrl}/services`);
  const { services } = (await response.json()) as { services: RegisteredService[] };
  const handlers = services.flatMap(({ name, handlers: all }) =>
    all.map(({ retry_policy: policy }) => ({ name: name.replace(/-.*/, ''), policy })),
  );
  const end = { max_attempts: 50, on_max_attempts: 'Kill' };
  const policy = expect.objectContaining({ max_interval: '2s', ...end });
  expect(handlers.toSorted((a, b) => a.name.localeCompare(b.name))).toEqual([
    { name: 'mark', policy },
    { name: 'resource', policy },
  ]);
});

interface RegisteredService {
  readonly name: string;
  readonly handlers: readonly { readonly retry_policy?: object }[];
}

describe('losing all data of Restate', () => {
  it('lets the sweeper restart all operations under a new epoch', async () => {
    await startWorker();
    await startWorker();
    // Some wait for their next attempt, some are running.
    const waiting = await open({ plan: { two: { unknown: 2 } } });
    await expect(world.app.engine.execute(waiting)).rejects.toMatchObject({
      code: 'PROVIDER_TIMEOUT',
    });
    const running = await open({ plan: { one: { ms: 1500 } } });
    await world.app.engine.submit(running);
    await until(async () => (await traceOf(world, running)).attempts === 1);
    await world.restate.kill('SIGKILL');
    await world.restate.start({ wiped: true });
    await until(() => isDone(waiting), 40_000);
    await until(() => isDone(running), 40_000);
    expect(await traceOf(world, waiting)).toMatchObject(DONE);
    expect(await traceOf(world, running)).toMatchObject(DONE);
    expect((await traceOf(world, waiting)).epoch).toBeGreaterThan(1);
  }, 90_000);
});
