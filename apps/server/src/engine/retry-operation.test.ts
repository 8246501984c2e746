import { randomUUID } from 'node:crypto';
import { newId } from '@holdfast/kernel/ids';
import { expect, it } from 'vitest';
import { useToyWorld } from '../testing/engine.ts';
import { auditedBy, oneCall } from '../testing/orders.ts';
import { isRefusal } from '../testing/refusal.ts';
import { openToy } from '../testing/toy-saga.ts';
import { noEngine } from './engine.ts';
import { getOperation } from './read-operations.ts';
import { retryOperation } from './retry-operation.ts';

const { world, market } = useToyWorld();

const reason = 'the buyer is on the phone';

/** An operation whose first attempt failed and whose next one is due in an hour. */
async function waiting() {
  const operation = await openToy(world.app, market.call, { plan: { two: { unknown: 1 } } });
  await expect(world.app.engine.execute(operation)).rejects.toSatisfy(
    isRefusal('PROVIDER_TIMEOUT'),
  );
  await world.rows(
    `update operation set next_try_at = now() + interval '1 hour',
      heartbeat_at = now() - interval '1 minute' where id = $1`,
    [operation.id],
  );
  return operation;
}

it('executes a waiting operation at once, and audits who requested it', async () => {
  const { id, resourceId, epoch } = await waiting();
  const call = oneCall(market);
  const retried = await retryOperation(world.app, call, id, { reason });
  expect(retried).toMatchObject({ id, status: 'RUNNING', epoch: epoch + 1 });
  expect(await getOperation(world.app, market.call, id)).toMatchObject({
    status: 'DONE',
    epoch: epoch + 1,
    attempts: 2,
  });
  expect(await auditedBy(world, call)).toMatchObject([
    {
      action: 'OPERATION_RETRIED',
      resource: resourceId,
      after: { operationId: id, wasTakenOver: true },
      reason,
    },
  ]);
});

it('leaves a running attempt alone', async () => {
  const { id, epoch } = await openToy(world.app, market.call, { plan: {} });
  await retryOperation(world.app, market.call, id, { reason });
  expect(await getOperation(world.app, market.call, id)).toMatchObject({ epoch, attempts: 0 });
});

it('is refused for an ended operation, another marketplace, or without an engine', async () => {
  const { id } = await waiting();
  const retry = (call = market.call, app = world.app) => retryOperation(app, call, id, { reason });
  const otherMarket = await world.market();
  await expect(retry(otherMarket.call)).rejects.toSatisfy(isRefusal('OPERATION_NOT_FOUND'));
  const alone = { ...world.app, engine: noEngine };
  await expect(retry(market.call, alone)).rejects.toSatisfy(isRefusal('ENGINE_UNAVAILABLE'));
  await retry();
  await expect(retry()).rejects.toMatchObject({
    code: 'INVALID_STATE',
    details: { state: 'DONE' },
  });
  await expect(
    retryOperation(world.app, market.call, newId('op', Date.now()), { reason }),
  ).rejects.toSatisfy(isRefusal('OPERATION_NOT_FOUND'));
});

it('retries once for one Idempotency-Key', async () => {
  const { id } = await waiting();
  const send = () => market.send('POST', `/operations/${id}/retry`, { body: { reason }, headers });
  const headers = { 'idempotency-key': randomUUID() };
  const [first, again] = [await send(), await send()];
  expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
  expect((await getOperation(world.app, market.call, id)).attempts).toBe(2);
});
