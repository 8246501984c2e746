import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startWatch } from '../../../cli/src/testing/machine-time.ts';
import { type EngineWorld, openEngineWorld, stopRestate } from '../testing/engine.ts';
import { isRefusal } from '../testing/refusal.ts';
import { openToy, type ToyPlan, toySaga, traceOf } from '../testing/toy-saga.ts';
import { until } from '../testing/until.ts';
import type { Market } from '../testing/world.ts';
import { type Engine, outcomeOf } from './engine.ts';
import { RestateEngine } from './restate-client.ts';
import type { RunningEndpoint } from './restate-endpoint.ts';

let world: EngineWorld;
let market: Market;
let engine: Engine;
let endpoint: RunningEndpoint;
beforeAll(async () => {
  world = await openEngineWorld();
  market = await world.market();
  ({ engine } = world.app);
  endpoint = await world.serve(toySaga(HELD, () => answered.promise));
  await until(isUp);
});
afterAll(async () => {
  answered.resolve();
  await endpoint.stop();
  await world.close();
  await stopRestate();
});

const open = (plan: ToyPlan = {}) => openToy(world.app, market.call, { plan });
const ONCE = { one: 1, two: 1, three: 1 };

/** Its provider answers when `answered` is resolved. */
const HELD = 'toy-held';
let answered = Promise.withResolvers<void>();
async function openHeld() {
  answered = Promise.withResolvers();
  return openToy(world.app, market.call, { kind: HELD });
}

function anotherEngine({ deadlineMs }: { readonly deadlineMs: number }): RestateEngine {
  const { HOLDFAST_ENGINE_INGRESS_URL: ingressUrl = '', HOLDFAST_CELL: cell } = world.app.config;
  return new RestateEngine(world.app, { ingressUrl, cell, deadlineMs });
}

const isUp = async () => (await engine.isUp()) === true;
/** What was seen a tenth of a second ago is believed. */
const refusesSoon = () =>
  until(() => engine.checkUp().then(() => false, isRefusal('ENGINE_UNAVAILABLE')), 2000);

it('is down until a worker has told Restate where it is', async () => {
  const other = await openEngineWorld();
  onTestFinished(() => other.close());
  await expect(other.app.engine.checkUp()).rejects.toSatisfy(isRefusal('ENGINE_UNAVAILABLE'));
  const served = await other.serve();
  onTestFinished(() => served.stop());
  await until(async () => (await other.app.engine.isUp()) === true);
  await other.app.engine.checkUp();
  const { json } = await other.send('GET', '/health/detailed');
  expect(json.data.data.checks.engine.status).toBe('ok');
});

it('is not down because this process stood still while it looked', async () => {
  const another = anotherEngine({ deadlineMs: 500 });
  const looking = another.isUp();
  const goesOnAt = performance.now() + 1500;
  while (performance.now() < goesOnAt);
  expect(await looking).toBe(true);
  await another.close();
});

describe('an operation that is driven', () => {
  it('gives what its saga gave', async () => {
    const operation = await open({ note: 'through Restate' });
    expect(await engine.drive(operation)).toMatchObject({ note: 'through Restate' });
    expect(await traceOf(world, operation)).toMatchObject({ attempts: 1, asked: ONCE });
  });

  it('refuses as its saga was refused', async () => {
    const operation = await open({ one: { refused: 1 } });
    await expect(engine.drive(operation)).rejects.toMatchObject({
      code: 'INTERNAL_ERROR',
      details: { reason: 'no', operationId: operation.id },
    });
  });

  it('answers at the first unknown outcome, and ends by itself', async () => {
    const operation = await open({ two: { unknown: 2, lost: true } });
    const timeout = { code: 'PROVIDER_TIMEOUT', details: { operationId: operation.id } };
    await expect(engine.drive(operation)).rejects.toMatchObject(timeout);
    await expect(outcomeOf(world.app, market.call, operation.id)).rejects.toMatchObject(timeout);
    await until(async () => (await traceOf(world, operation)).status === 'DONE');
    expect(await traceOf(world, operation)).toMatchObject({
      epoch: 1,
      attempts: 3,
      asked: { one: 1, two: 3, three: 1 },
      effects: ONCE,
    });
    expect(await outcomeOf(world.app, market.call, operation.id)).toBeDefined();
  });

  it('by ten requests at once is driven once, and answers them all', async () => {
    const operation = await open({ one: { ms: 200 } });
    const answers = await Promise.all(Array.from({ length: 10 }, () => engine.drive(operation)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await traceOf(world, operation)).toMatchObject({ attempts: 1, asked: ONCE });
  });

  it('keeps nobody waiting beyond the deadline, and goes on', async () => {
    const hasty = anotherEngine({ deadlineMs: 500 });
    const operation = await openHeld();
    const ran = await startWatch();
    await expect(hasty.drive(operation)).rejects.toMatchObject({
      code: 'PROVIDER_TIMEOUT',
      details: { operationId: operation.id },
    });
    expect(ran()).toBeLessThan(1200);
    answered.resolve();
    await until(async () => (await traceOf(world, operation)).status === 'DONE');
    await hasty.close();
  });

  it('under an epoch that is over waits for whoever has it now', async () => {
    const operation = await open({ one: { ms: 200 } });
    await world.rows('update operation set epoch = 2 where id = $1', [operation.id]);
    expect(await engine.drive(operation)).toMatchObject({ one: expect.anything() });
    expect(await traceOf(world, operation)).toMatchObject({ epoch: 2, attempts: 1 });
  });

  it('does not keep its neighbours waiting', async () => {
    const held = await openHeld();
    const slow = engine.drive(held);
    await until(async () => (await traceOf(world, held)).asked['one'] === 1);
    expect(await engine.drive(await open())).toBeDefined();
    answered.resolve();
    expect(await slow).toBeDefined();
  });
});

describe('with Restate away', () => {
  it('refuses within two seconds, frozen or gone; all else goes on; then it is back', async () => {
    const user = await market.user();
    world.restate.signal('SIGSTOP');
    await refusesSoon();
    world.restate.signal('SIGCONT');
    await until(isUp);
    await world.restate.kill('SIGKILL');
    await refusesSoon();
    const credit = { body: { amount: '5.00' } };
    const answer = await market.send('POST', `/users/${user}/balance/credit`, credit);
    expect(answer.status).toBe(200);
    expect(await world.app.health.isReady()).toBe(true);
    await world.restate.start();
    await until(isUp);
    expect(await engine.drive(await open())).toBeDefined();
  });

  it('lost after the request has written: the request goes on when it is back', async () => {
    const operation = await open();
    await world.restate.kill('SIGKILL');
    const driven = engine.drive(operation);
    await world.restate.start({ wiped: true });
    expect(await driven).toBeDefined();
    expect(await traceOf(world, operation)).toMatchObject({ status: 'DONE', effects: ONCE });
  });
});
