import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startWatch } from '../../../cli/src/testing/machine-time.ts';
import { openEngineWorld, useEngineWorld } from '../testing/engine.ts';
import { isRefusal } from '../testing/refusal.ts';
import { openToy, type ToyPlan, toySaga, traceOf } from '../testing/toy-saga.ts';
import { until } from '../testing/until.ts';
import { type Engine, outcomeOf } from './engine.ts';
import { RestateEngine } from './restate-client.ts';
import type { RunningEndpoint } from './restate-endpoint.ts';

const { world, market } = useEngineWorld();
let engine: Engine;
let endpoint: RunningEndpoint;
beforeAll(async () => {
  ({ engine } = world.app);
  endpoint = await world.serve(toySaga(HELD, () => reply.promise));
  await until(isUp);
});
afterAll(async () => {
  reply.resolve();
  await endpoint.stop();
});

const open = (plan: ToyPlan = {}) => openToy(world.app, market.call, { plan });
const ONCE = { one: 1, two: 1, three: 1 };

/** Its provider replies when `reply` is resolved. */
const HELD = 'toy-held';
let reply = Promise.withResolvers<void>();
async function openHeld() {
  reply = Promise.withResolvers();
  return openToy(world.app, market.call, { kind: HELD });
}

function anotherEngine({ deadlineMs }: { readonly deadlineMs: number }): RestateEngine {
  const { HOLDFAST_ENGINE_INGRESS_URL: ingressUrl = '', HOLDFAST_CELL: cell } = world.app.config;
  return new RestateEngine(world.app, { ingressUrl, cell, deadlineMs });
}

const isUp = async () => (await engine.isUp()) === true;
/** A health check of up to a tenth of a second ago is reused. */
const refusesSoon = () =>
  until(() => engine.checkUp().then(() => false, isRefusal('ENGINE_UNAVAILABLE')), 2000);

it('is down until a worker has registered with Restate', async () => {
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

it('is not down because this process stood still during the check', async () => {
  const another = anotherEngine({ deadlineMs: 500 });
  const checking = another.isUp();
  const goesOnAt = performance.now() + 1500;
  while (performance.now() < goesOnAt);
  expect(await checking).toBe(true);
  await another.close();
});

describe('executing an operation', () => {
  it('returns the result of its saga', async () => {
    const operation = await open({ note: 'through Restate' });
    expect(await engine.execute(operation)).toMatchObject({ note: 'through Restate' });
    expect(await traceOf(world, operation)).toMatchObject({ attempts: 1, calls: ONCE });
  });

  it('refuses with the refusal of its saga', async () => {
    const operation = await open({ one: { refused: 1 } });
    await expect(engine.execute(operation)).rejects.toMatchObject({
      code: 'INTERNAL_ERROR',
      details: { reason: 'no', operationId: operation.id },
    });
  });

  it('refuses at the first unknown outcome, and the operation ends by itself', async () => {
    const operation = await open({ two: { unknown: 2, lost: true } });
    const timeout = { code: 'PROVIDER_TIMEOUT', details: { operationId: operation.id } };
    await expect(engine.execute(operation)).rejects.toMatchObject(timeout);
    await expect(outcomeOf(world.app, market.call, operation.id)).rejects.toMatchObject(timeout);
    await until(async () => (await traceOf(world, operation)).status === 'DONE');
    expect(await traceOf(world, operation)).toMatchObject({
      epoch: 1,
      attempts: 3,
      calls: { one: 1, two: 3, three: 1 },
      effects: ONCE,
    });
    expect(await outcomeOf(world.app, market.call, operation.id)).toBeDefined();
  });

  it('executes once for ten requests at once, and responds to them all', async () => {
    const operation = await open({ one: { ms: 200 } });
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => engine.execute(operation)),
    );
    expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1);
    expect(await traceOf(world, operation)).toMatchObject({ attempts: 1, calls: ONCE });
  });

  it('refuses at the deadline, and the operation continues', async () => {
    const hasty = anotherEngine({ deadlineMs: 500 });
    const operation = await openHeld();
    const ran = await startWatch();
    await expect(hasty.execute(operation)).rejects.toMatchObject({
      code: 'PROVIDER_TIMEOUT',
      details: { operationId: operation.id },
    });
    expect(ran()).toBeLessThan(1200);
    reply.resolve();
    await until(async () => (await traceOf(world, operation)).status === 'DONE');
    await hasty.close();
  });

  it('waits for the current attempt when its own epoch is over', async () => {
    const operation = await open({ one: { ms: 200 } });
    await world.rows('update operation set epoch = 2 where id = $1', [operation.id]);
    expect(await engine.execute(operation)).toMatchObject({ one: expect.anything() });
    expect(await traceOf(world, operation)).toMatchObject({ epoch: 2, attempts: 1 });
  });

  it('does not delay other operations', async () => {
    const held = await openHeld();
    const slow = engine.execute(held);
    await until(async () => (await traceOf(world, held)).calls['one'] === 1);
    expect(await engine.execute(await open())).toBeDefined();
    reply.resolve();
    expect(await slow).toBeDefined();
  });
});

describe('executing while Restate is unavailable', () => {
  it('refuses within two seconds, frozen or gone, and works again afterwards', async () => {
    const user = await market.user();
    world.restate.signal('SIGSTOP');
    await refusesSoon();
    world.restate.signal('SIGCONT');
    await until(isUp);
    await world.restate.kill('SIGKILL');
    await refusesSoon();
    const credit = { body: { amount: '5.00' } };
    const response = await market.send('POST', `/users/${user}/balance/credit`, credit);
    expect(response.status).toBe(200);
    expect(await world.app.health.isReady()).toBe(true);
    await world.restate.start();
    await until(isUp);
    expect(await engine.execute(await open())).toBeDefined();
  });

  it('completes the request once Restate is back, if it was lost after the write', async () => {
    const operation = await open();
    await world.restate.kill('SIGKILL');
    const execution = engine.execute(operation);
    await world.restate.start({ wiped: true });
    expect(await execution).toBeDefined();
    expect(await traceOf(world, operation)).toMatchObject({ status: 'DONE', effects: ONCE });
  });
});
