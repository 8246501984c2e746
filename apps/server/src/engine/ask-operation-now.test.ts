import { randomUUID } from 'node:crypto';
import { newId } from '@holdfast/kernel/ids';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { driveInPlace } from '../testing/engine.ts';
import { auditedBy, oneCall } from '../testing/orders.ts';
import { isRefusal } from '../testing/refusal.ts';
import { makeToyTables, openToy, toySaga } from '../testing/toy-saga.ts';
import { type Market, openWorld, type World } from '../testing/world.ts';
import { askOperationNow } from './ask-operation-now.ts';
import { noEngine } from './engine.ts';
import { getOperation } from './get-operation.ts';

let world: World;
let market: Market;
beforeAll(async () => {
  world = await openWorld();
  market = await world.market();
  await makeToyTables(world);
  driveInPlace(world, world.app, [toySaga()]);
});
afterAll(() => world.close());

const reason = 'the buyer is on the phone';

/** Asked once in vain, and not to be asked again for an hour. */
async function waiting() {
  const operation = await openToy(world.app, market.call, { plan: { two: { unknown: 1 } } });
  await expect(world.app.engine.drive(operation)).rejects.toSatisfy(isRefusal('PROVIDER_TIMEOUT'));
  await world.rows(
    `update operation set next_try_at = now() + interval '1 hour',
      heartbeat_at = now() - interval '1 minute' where id = $1`,
    [operation.id],
  );
  return operation;
}

it('drives what waits at once, by the same drive, and says who wanted it', async () => {
  const { id, resourceId, epoch } = await waiting();
  const call = oneCall(market);
  const asked = await askOperationNow(world.app, call, id, { reason });
  expect(asked).toMatchObject({ id, status: 'RUNNING', epoch: epoch + 1 });
  expect(await getOperation(world.app, market.call, id)).toMatchObject({
    status: 'DONE',
    epoch: epoch + 1,
    attempts: 2,
  });
  expect(await auditedBy(world, call)).toMatchObject([
    {
      action: 'OPERATION_HASTENED',
      resource: resourceId,
      after: { operationId: id, isDrivenAnew: true },
      reason,
    },
  ]);
});

it('leaves a drive alone that is at it', async () => {
  const { id, epoch } = await openToy(world.app, market.call, { plan: {} });
  await askOperationNow(world.app, market.call, id, { reason });
  expect(await getOperation(world.app, market.call, id)).toMatchObject({ epoch, attempts: 0 });
});

it('is refused for what has ended, for a stranger and without an engine', async () => {
  const { id } = await waiting();
  const ask = (call = market.call, app = world.app) => askOperationNow(app, call, id, { reason });
  const stranger = await world.market();
  await expect(ask(stranger.call)).rejects.toSatisfy(isRefusal('OPERATION_NOT_FOUND'));
  const alone = { ...world.app, engine: noEngine };
  await expect(ask(market.call, alone)).rejects.toSatisfy(isRefusal('ENGINE_UNAVAILABLE'));
  await ask();
  await expect(ask()).rejects.toMatchObject({ code: 'INVALID_STATE', details: { state: 'DONE' } });
  await expect(askOperationNow(world.app, market.call, newId('op'), { reason })).rejects.toSatisfy(
    isRefusal('OPERATION_NOT_FOUND'),
  );
});

it('asks once for one Idempotency-Key', async () => {
  const { id } = await waiting();
  const send = () =>
    market.send('POST', `/operations/${id}/ask-now`, { body: { reason }, headers });
  const headers = { 'idempotency-key': randomUUID() };
  const [first, again] = [await send(), await send()];
  expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
  expect((await getOperation(world.app, market.call, id)).attempts).toBe(2);
});
