import { afterEach, describe, expect, it } from 'vitest';
import { systemCall } from '../platform/call.ts';
import { watchFailpoints } from '../platform/process/failpoint.ts';
import { PersistedEnvelope } from '../providers/network/envelope.ts';
import { done, refused } from '../providers/outcome.ts';
import { useToyWorld } from '../testing/engine.ts';
import { openToy, type ToyPlan, toySaga, traceOf } from '../testing/toy-saga.ts';
import { until } from '../testing/until.ts';
import type { World } from '../testing/world.ts';
import { executeOnce } from './attempt.ts';
import type { Operation } from './operation.ts';
import { type SagaRun, saga, sagasOf } from './saga.ts';

const { world, market, engine } = useToyWorld();
const sagas = sagasOf([toySaga<World['app']>()]);
afterEach(() => watchFailpoints(undefined));

const open = (plan: ToyPlan = {}) => openToy(world.app, market.call, { plan });
const execute = ({ marketplace, id, epoch }: Operation, under = epoch, known = sagas) =>
  executeOnce(world.worker, known, systemCall(marketplace), { operationId: id, epoch: under });

const stepsOf = (id: string) =>
  world.rows('select name, status from operation_step where operation_id = $1', [id]);

/** The write of a take-over by the sweeper. */
const bumpEpoch = (id: string) =>
  world.rows('update operation set epoch = epoch + 1 where id = $1', [id]);

/** The second attempt starts while the first waits for the provider, and gets its reply first. */
async function executeTwice(takeOver: (operation: Operation) => Promise<number>) {
  const kind = 'toy-held';
  const operation = await openToy(world.app, market.call, { kind });
  const replies = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const held = sagasOf([toySaga<World['app']>(kind, async (calls) => replies[calls - 1]?.promise)]);
  const isCalled = async (times: number) =>
    (await traceOf(world, operation)).calls['one'] === times;
  const older = execute(operation, operation.epoch, held);
  await until(() => isCalled(1));
  const newer = execute(operation, await takeOver(operation), held);
  await until(() => isCalled(2));
  replies[0]?.resolve();
  expect(await older).toEqual({ kind: 'overtaken' });
  replies[1]?.resolve();
  expect(await newer).toMatchObject({ kind: 'done' });
  return operation;
}

describe('running two attempts of one operation', () => {
  it('lets the older epoch write nothing from the take-over on', async () => {
    const operation = await executeTwice(async ({ id, epoch }) => {
      await bumpEpoch(id);
      return epoch + 1;
    });
    expect(await traceOf(world, operation)).toMatchObject({
      epoch: 2,
      lines: ['between', 'settle'],
      effects: { one: 1, two: 1, three: 1 },
    });
    expect(await execute(operation, 1)).toMatchObject({ kind: 'done' });
  });

  // Restate calls another worker under the same epoch when it has lost contact with the first.
  it('lets the later attempt win under one epoch', async () => {
    const operation = await executeTwice(async ({ epoch }) => epoch);
    expect((await traceOf(world, operation)).lines).toEqual(['between', 'settle']);
  });

  it('has every effect and every line once, for ten attempts over two epochs', async () => {
    const operation = await open({ one: { ms: 20 }, two: { ms: 20 } });
    const racing = Array.from({ length: 10 }, async (_, at) => {
      if (at === 5) await bumpEpoch(operation.id);
      return execute(operation, at < 5 ? 1 : 2);
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

  // An envelope signed before the pause must not be sent after the operation may have rolled back.
  it('stores no envelope after it was overtaken', async () => {
    const signed = { innerHash: null, xdr: '', source: '', sequence: 1n, maxTime: 1 };
    const asleep = Promise.withResolvers<void>();
    const sleepy = saga('toy-sleepy', async (run: SagaRun) =>
      run.providerStep('pay', { provider: 'ledger_network', movesMoney: true }, async (purpose) => {
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
    const attempt = () =>
      executeOnce(world.worker, sagasOf([sleepy]), systemCall(marketplace), {
        operationId: id,
        epoch,
      });
    const older = attempt();
    await until(async () => (await stepsOf(id)).length === 1);
    expect(await attempt()).toMatchObject({ kind: 'done' });
    asleep.resolve();
    expect(await older).toEqual({ kind: 'overtaken' });
    expect(await world.rows('select from envelope where hash = $1', [id])).toEqual([]);
    expect(await stepsOf(id)).toEqual([{ name: 'pay', status: 'REFUSED' }]);
  });

  it('returns no result under an epoch that is over', async () => {
    const operation = await open();
    await bumpEpoch(operation.id);
    expect(await execute(operation)).toEqual({ kind: 'overtaken' });
    expect(await traceOf(world, operation)).toMatchObject({ attempts: 0, lines: [], calls: {} });
    await execute(operation, 2);
  });
});

class Death extends Error {}

/** Every crash point that an attempt passes, in order. */
async function crashPointsOf(plan: ToyPlan): Promise<string[]> {
  const crashPoints: string[] = [];
  watchFailpoints((name) => crashPoints.push(name));
  await execute(await open(plan));
  watchFailpoints(undefined);
  return [...new Set(crashPoints)];
}

describe('crashing an attempt', () => {
  it.each<[string, ToyPlan, object]>([
    ['on success', {}, { status: 'DONE', lines: ['between', 'settle'] }],
    [
      'on rollback',
      { two: { refused: 9 } },
      { status: 'REFUSED', lines: ['between', 'undo'], effects: { one: 1, two: 0 } },
    ],
    [
      'before an outcome is known',
      { three: { unknown: 1, lost: true } },
      { status: 'DONE', lines: ['between', 'settle'], effects: { one: 1, two: 1, three: 1 } },
    ],
    [
      'on escalation',
      { three: { refused: 1 } },
      { status: 'DONE', lines: ['between', 'settle'], effects: { one: 1, two: 1, three: 1 } },
    ],
  ])('%s, at any crash point, lets the next finish, all effects once', async (_, plan, end) => {
    const crashPoints = await crashPointsOf(plan);
    expect(crashPoints.length).toBeGreaterThan(8);
    for (const crashPoint of crashPoints) {
      const operation = await open(plan);
      watchFailpoints((name) => {
        if (name === crashPoint) throw new Death(crashPoint);
      });
      await execute(operation).catch(() => undefined);
      watchFailpoints(undefined);
      await engine.runWorker();
      expect({ crashPoint: crashPoint, ...(await traceOf(world, operation)) }).toMatchObject({
        crashPoint: crashPoint,
        ...end,
      });
    }
  });
});
