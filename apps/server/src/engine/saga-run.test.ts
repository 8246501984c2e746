import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemCall } from '../platform/call.ts';
import { watchFailpoints } from '../platform/failpoint.ts';
import { PersistedEnvelope } from '../providers/envelope.ts';
import { done, refused } from '../providers/outcome.ts';
import { type DirectEngine, driveInPlace } from '../testing/engine.ts';
import { makeToyTables, openToy, type ToyPlan, toySaga, traceOf } from '../testing/toy-saga.ts';
import { until } from '../testing/until.ts';
import { type Market, openWorld, type World } from '../testing/world.ts';
import { driveOnce } from './drive.ts';
import type { Operation } from './operation.ts';
import { type SagaRun, saga, sagasOf } from './saga.ts';

let world: World;
let market: Market;
let engine: DirectEngine;
const sagas = sagasOf([toySaga<World['app']>()]);

beforeAll(async () => {
  world = await openWorld();
  market = await world.market();
  await makeToyTables(world);
  engine = driveInPlace(world, world.app, [toySaga()]);
});
afterAll(() => world.close());
afterEach(() => watchFailpoints(undefined));

const open = (plan: ToyPlan = {}) => openToy(world.app, market.call, { plan });
const drive = ({ marketplace, id, epoch }: Operation, under = epoch, known = sagas) =>
  driveOnce(world.app, known, systemCall(marketplace), { operationId: id, epoch: under });

const stepsOf = (id: string) =>
  world.rows('select name, status from operation_step where operation_id = $1', [id]);

/** What a take-over by the sweeper writes. */
const raiseEpoch = (id: string) =>
  world.rows('update operation set epoch = epoch + 1 where id = $1', [id]);

/** One drive is at the provider when the other begins, and hears the answer first. */
async function driveTwice(takeOver: (operation: Operation) => Promise<number>) {
  const kind = 'toy-held';
  const operation = await openToy(world.app, market.call, { kind });
  const answers = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const held = sagasOf([toySaga<World['app']>(kind, async (asked) => answers[asked - 1]?.promise)]);
  const isAsked = async (times: number) => (await traceOf(world, operation)).asked['one'] === times;
  const older = drive(operation, operation.epoch, held);
  await until(() => isAsked(1));
  const newer = drive(operation, await takeOver(operation), held);
  await until(() => isAsked(2));
  answers[0]?.resolve();
  expect(await older).toEqual({ kind: 'overtaken' });
  answers[1]?.resolve();
  expect(await newer).toMatchObject({ kind: 'done' });
  return operation;
}

describe('two drives of one operation', () => {
  it('under two epochs: the older one writes nothing from the moment of take-over', async () => {
    const operation = await driveTwice(async ({ id, epoch }) => {
      await raiseEpoch(id);
      return epoch + 1;
    });
    expect(await traceOf(world, operation)).toMatchObject({
      epoch: 2,
      lines: ['between', 'settle'],
      effects: { one: 1, two: 1, three: 1 },
    });
    expect(await drive(operation, 1)).toMatchObject({ kind: 'done' });
  });

  // Restate asks another worker under the same epoch when it has lost the first from sight.
  it('under one epoch: the later one has it', async () => {
    const operation = await driveTwice(async ({ epoch }) => epoch);
    expect((await traceOf(world, operation)).lines).toEqual(['between', 'settle']);
  });

  it('ten at once, over two epochs: every effect and every line once', async () => {
    const operation = await open({ one: { ms: 20 }, two: { ms: 20 } });
    const racing = Array.from({ length: 10 }, async (_, at) => {
      if (at === 5) await raiseEpoch(operation.id);
      return drive(operation, at < 5 ? 1 : 2);
    });
    const kinds = (await Promise.all(racing)).map(({ kind }) => kind);
    expect(kinds).toContain('done');
    expect(kinds.filter((kind) => kind !== 'done' && kind !== 'overtaken')).toEqual([]);
    expect(await traceOf(world, operation)).toMatchObject({
      status: 'DONE',
      lines: ['between', 'settle'],
      effects: { one: 1, two: 1, three: 1 },
    });
  });

  // What it signed before it slept must not be sent once the operation may have gone back.
  it('writes down no envelope after it was overtaken', async () => {
    const signed = { innerHash: null, xdr: '', source: '', sequence: 1n, maxTime: 1 };
    const asleep = Promise.withResolvers<void>();
    const sleepy = saga('toy-sleepy', async (run: SagaRun) =>
      run.provider('pay', { movesMoney: true }, async (purpose) => {
        if (run.operation.attempts === 1) await asleep.promise;
        else return refused('no', 'the provider says no');
        const hash = run.operation.id;
        return done(
          await PersistedEnvelope.persist(run.app, run.call, purpose, { ...signed, hash }),
        );
      }),
    );
    const { marketplace, id, epoch } = await openToy(world.app, market.call, {
      kind: 'toy-sleepy',
    });
    const turn = () =>
      driveOnce(world.app, sagasOf([sleepy]), systemCall(marketplace), { operationId: id, epoch });
    const older = turn();
    await until(async () => (await stepsOf(id)).length === 1);
    expect(await turn()).toMatchObject({ kind: 'done' });
    asleep.resolve();
    expect(await older).toEqual({ kind: 'overtaken' });
    expect(await world.rows('select from envelope where hash = $1', [id])).toEqual([]);
    expect(await stepsOf(id)).toEqual([{ name: 'pay', status: 'REFUSED' }]);
  });

  it('gives no answer under an epoch that is over', async () => {
    const operation = await open();
    await raiseEpoch(operation.id);
    expect(await drive(operation)).toEqual({ kind: 'overtaken' });
    expect(await traceOf(world, operation)).toMatchObject({ attempts: 0, lines: [], asked: {} });
    await drive(operation, 2);
  });
});

class Death extends Error {}

/** Every place that a drive passes, in its order. */
async function placesOf(plan: ToyPlan): Promise<string[]> {
  const places: string[] = [];
  watchFailpoints((name) => places.push(name));
  await drive(await open(plan));
  watchFailpoints(undefined);
  return [...new Set(places)];
}

describe('a drive that dies', () => {
  it.each<[string, ToyPlan, object]>([
    ['on the way to done', {}, { status: 'DONE', lines: ['between', 'settle'] }],
    [
      'on the way back',
      { two: { refused: 9 } },
      { status: 'REFUSED', lines: ['between', 'undo'], effects: { one: 1, two: 0 } },
    ],
    [
      'before an outcome is known',
      { three: { unknown: 1, lost: true } },
      { status: 'DONE', lines: ['between', 'settle'], effects: { one: 1, two: 1, three: 1 } },
    ],
    [
      'when it is raised',
      { three: { refused: 1 } },
      { status: 'DONE', lines: ['between', 'settle'], effects: { one: 1, two: 1, three: 1 } },
    ],
  ])('%s, at any place, is ended by the next, all effects once', async (_, plan, end) => {
    const places = await placesOf(plan);
    expect(places.length).toBeGreaterThan(8);
    for (const place of places) {
      const operation = await open(plan);
      watchFailpoints((name) => {
        if (name === place) throw new Death(place);
      });
      await drive(operation).catch(() => undefined);
      watchFailpoints(undefined);
      await engine.runWorker();
      expect({ place, ...(await traceOf(world, operation)) }).toMatchObject({ place, ...end });
    }
  });
});
