import { manualClock, systemClock } from '@holdfast/kernel/clock';
import { beforeEach, expect, it } from 'vitest';
import { useToyWorld } from '../testing/engine.ts';
import { isRefusal } from '../testing/refusal.ts';
import { openToy, type ToyPlan, traceOf } from '../testing/toy-saga.ts';
import { until } from '../testing/until.ts';
import { noEngine } from './engine.ts';
import { sweepOperations } from './sweep-operations.ts';

const clock = manualClock(systemClock.now());
const { world, market, engine } = useToyWorld({ clock });
beforeEach(async () => void (await engine.runWorker()));

const open = (plan: ToyPlan = {}) => openToy(world.app, market.call, { plan });
const sweep = () => sweepOperations(world.worker);

it('executes under a new epoch an operation that never ran, once it is silent', async () => {
  const operation = await open();
  clock.advance(9_900);
  expect(await sweep()).toBe(0);
  clock.advance(200);
  expect(await sweep()).toBe(1);
  expect(await traceOf(world, operation)).toMatchObject({ status: 'DONE', epoch: 2, attempts: 1 });
  expect(await sweep()).toBe(0);
});

it('restarts a postponed operation ten seconds after its due time', async () => {
  const operation = await open({ one: { unknown: 6 } });
  await expect(engine.execute(operation)).rejects.toSatisfy(isRefusal('PROVIDER_TIMEOUT'));
  await world.rows(
    `update operation set next_try_at = heartbeat_at + interval '30 s' where id = $1`,
    [operation.id],
  );
  clock.advance(39_000);
  expect(await sweep()).toBe(0);
  clock.advance(1_100);
  expect(await sweep()).toBe(1);
  expect(await traceOf(world, operation)).toMatchObject({
    status: 'RUNNING',
    epoch: 2,
    attempts: 2,
  });
});

it('takes each operation over once, with five workers at once', async () => {
  const operations = await Promise.all(Array.from({ length: 8 }, () => open()));
  clock.advance(11_000);
  const swept = await Promise.all(Array.from({ length: 5 }, sweep));
  expect(swept.reduce((sum, each) => sum + each, 0)).toBe(8);
  for (const each of operations)
    expect(await traceOf(world, each)).toMatchObject({ status: 'DONE', epoch: 2, attempts: 1 });
});

it('changes nothing while no engine could execute operations', async () => {
  const operation = await open();
  clock.advance(11_000);
  expect(await sweepOperations({ ...world.worker, engine: noEngine })).toBe(0);
  expect(await traceOf(world, operation)).toMatchObject({ epoch: 1, attempts: 0 });
});

it('leaves an attempt alone that waits for a slow provider and sends heartbeats', async () => {
  const operation = await open({ one: { ms: 3_600 } });
  const execution = engine.execute(operation);
  await until(async () => (await traceOf(world, operation)).calls['one'] === 1);
  clock.advance(8_000);
  await until(async () => {
    const [row] = await world.rows<{ ms: number }>(
      `select extract(epoch from heartbeat_at - created_at)::float * 1000 as ms
       from operation where id = $1`,
      [operation.id],
    );
    return (row?.ms ?? 0) >= 8_000;
  });
  clock.advance(8_000);
  expect(await sweep()).toBe(0);
  await execution;
  expect(await traceOf(world, operation)).toMatchObject({ epoch: 1, attempts: 1 });
});
