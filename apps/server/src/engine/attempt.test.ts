import { newId } from '@holdfast/kernel/ids';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { systemCall } from '../platform/call.ts';
import { endPool } from '../testing/database/end-pool.ts';
import { useToyWorld } from '../testing/engine.ts';
import { isRefusal } from '../testing/refusal.ts';
import { openToy, type ToyPlan, toySaga, traceOf } from '../testing/toy-saga.ts';
import type { World } from '../testing/world.ts';
import { executeOnce, waitMs } from './attempt.ts';
import { outcomeOf } from './engine.ts';
import type { Operation } from './operation.ts';
import { saga, sagasOf } from './saga.ts';

const { world, market, engine } = useToyWorld();
const sagas = sagasOf([toySaga<World['app']>()]);

const open = (plan: ToyPlan = {}) => openToy(world.app, market.call, { plan });
const execute = ({ marketplace, id, epoch }: Operation) =>
  executeOnce(world.worker, sagas, systemCall(marketplace), { operationId: id, epoch });

describe('executing an attempt', () => {
  it('takes all steps once and returns the result of the last one', async () => {
    const operation = await open({ note: 'hello' });
    const result = await engine.execute<{ note: string; one: { purpose: string } }>(operation);
    expect(result).toMatchObject({
      note: 'hello',
      one: { purpose: `toy-run:one:${operation.id}` },
    });
    expect(await traceOf(world, operation)).toEqual({
      status: 'DONE',
      epoch: 1,
      attempts: 1,
      lines: ['between', 'settle'],
      calls: { one: 1, two: 1, three: 1 },
      effects: { one: 1, two: 1, three: 1 },
    });
    // A repeated attempt returns the result and does nothing.
    expect(await execute(operation)).toEqual({ kind: 'done', result });
    expect(await outcomeOf(world.app, market.call, operation.id)).toEqual(result);
  });

  it('rolls everything back and returns why, when refused before money moved', async () => {
    const operation = await open({ one: { refused: 1 } });
    await expect(engine.execute(operation)).rejects.toMatchObject({
      code: 'INTERNAL_ERROR',
      details: { reason: 'no', operationId: operation.id },
    });
    expect(await traceOf(world, operation)).toMatchObject({
      status: 'REFUSED',
      lines: ['undo'],
      effects: { one: 0 },
    });
    expect(await execute(operation)).toMatchObject({ kind: 'refused', code: 'INTERNAL_ERROR' });
    await expect(outcomeOf(world.app, market.call, operation.id)).rejects.toSatisfy(
      isRefusal('INTERNAL_ERROR'),
    );
  });

  it('rolls back too when the step that would move money is refused', async () => {
    const operation = await open({ two: { refused: 1 } });
    await expect(engine.execute(operation)).rejects.toSatisfy(isRefusal('INTERNAL_ERROR'));
    expect(await traceOf(world, operation)).toMatchObject({
      status: 'REFUSED',
      lines: ['between', 'undo'],
      effects: { one: 1, two: 0 },
    });
  });

  it('rolls nothing back on an unknown outcome, returns `again`, and continues later', async () => {
    const operation = await open({ two: { unknown: 2, lost: true } });
    await expect(engine.execute(operation)).rejects.toMatchObject({
      code: 'PROVIDER_TIMEOUT',
      details: { operationId: operation.id },
    });
    await expect(outcomeOf(world.app, market.call, operation.id)).rejects.toMatchObject({
      code: 'PROVIDER_TIMEOUT',
      details: { operationId: operation.id },
    });
    expect(await traceOf(world, operation)).toMatchObject({
      status: 'RUNNING',
      lines: ['between'],
    });
    expect(await engine.runWorker()).toBe(0);
    expect(await traceOf(world, operation)).toMatchObject({
      status: 'DONE',
      attempts: 3,
      lines: ['between', 'settle'],
      calls: { one: 1, two: 3, three: 1 },
      effects: { one: 1, two: 1, three: 1 },
    });
  });

  it('never rolls back when refused after money moved: it escalates and tries again', async () => {
    const operation = await open({ three: { refused: 2 } });
    await expect(engine.execute(operation)).rejects.toSatisfy(isRefusal('PROVIDER_TIMEOUT'));
    expect(await traceOf(world, operation)).toMatchObject({
      status: 'ESCALATED',
      lines: ['between'],
      effects: { two: 1, three: 0 },
    });
    expect(await engine.runWorker()).toBe(0);
    expect(await traceOf(world, operation)).toMatchObject({
      status: 'DONE',
      lines: ['between', 'settle'],
      calls: { one: 1, two: 1, three: 3 },
    });
    const escalated = await world.rows(
      `select a.reason, a.result, a.correlation_id = o.correlation_id as same,
        a.after->>'operationId' = o.id as named, o.escalated_at is not null as dated
      from audit a join operation o on o.resource_id = a.resource_id
      where o.id = $1 and a.action = 'OPERATION_ESCALATED'`,
      [operation.id],
    );
    expect(escalated).toEqual([
      {
        reason: 'three was refused after money had moved: no',
        result: 'FAILURE',
        same: true,
        named: true,
        dated: true,
      },
    ]);
  });

  it('stores when the next attempt is due, later each time', async () => {
    const operation = await open({ one: { unknown: 3 } });
    const waits: number[] = [];
    for (let tries = 0; tries < 3; tries += 1) {
      const result = await execute(operation);
      const [row] = await world.rows<{ ms: number }>(
        `select extract(epoch from next_try_at - heartbeat_at)::float * 1000 as ms
         from operation where id = $1`,
        [operation.id],
      );
      expect(result.kind === 'again' && Math.abs(result.inMs - (row?.ms ?? 0))).toBeLessThan(2);
      waits.push(row?.ms ?? 0);
    }
    for (const [at, usual] of [500, 1000, 2000].entries()) {
      expect(waits[at]).toBeGreaterThanOrEqual(usual * 0.79);
      expect(waits[at]).toBeLessThanOrEqual(usual * 1.21);
    }
    for (const last of [20_000, 24_000, 36_000]) {
      expect(waitMs(last)).toBeLessThanOrEqual(36_000);
      expect(waitMs(last)).toBeGreaterThanOrEqual(24_000);
    }
    await engine.runWorker();
  });

  it('does not lengthen the wait after attempts that were lost with their worker', async () => {
    const operation = await open({ two: { unknown: 2 } });
    const lose = () =>
      world.rows(
        `update operation set attempts = attempts + 9, heartbeat_at = heartbeat_at + interval '1 h'
         where id = $1`,
        [operation.id],
      );
    for (const _ of ['before the first wait', 'after it']) {
      await lose();
      const result = await execute(operation);
      expect(result).toMatchObject({ kind: 'again' });
      expect(result.kind === 'again' && result.inMs).toBeLessThanOrEqual(600);
    }
    await engine.runWorker();
    expect(await traceOf(world, operation)).toMatchObject({ status: 'DONE', effects: { two: 1 } });
  });

  it('returns `again` on a bug, and escalates when the bug stays', async () => {
    const operation = await openToy(world.app, market.call, { kind: 'toy-unknown' });
    for (let tries = 1; tries <= 5; tries += 1) {
      expect(await traceOf(world, operation)).toMatchObject({ status: 'RUNNING' });
      expect(await execute(operation)).toMatchObject({ kind: 'again' });
    }
    expect(await traceOf(world, operation)).toMatchObject({ status: 'ESCALATED', attempts: 5 });
    await world.rows('delete from open_operation where operation_id = $1', [operation.id]);
  });

  it('throws without a connection, which is no bug: the caller retries', async () => {
    const busyPool = new pg.Pool({
      ...world.app.pool.options,
      max: 1,
      connectionTimeoutMillis: 900,
    });
    const holder = await busyPool.connect();
    const waitingSaga = saga('toy-crowded', async () => busyPool.query('select'));
    const operation = await openToy(world.app, market.call, { kind: 'toy-crowded' });
    const { marketplace, id: operationId, epoch } = operation;
    const ref = { operationId, epoch };
    const executeWithBusyPool = () =>
      executeOnce(world.worker, sagasOf([waitingSaga]), systemCall(marketplace), ref);
    for (let tries = 1; tries <= 6; tries += 1)
      await expect(executeWithBusyPool()).rejects.toThrow(
        'timeout exceeded when trying to connect',
      );
    expect(await traceOf(world, operation)).toMatchObject({ status: 'RUNNING', attempts: 6 });
    holder.release();
    expect(await executeWithBusyPool()).toMatchObject({ kind: 'done' });
    await endPool(busyPool);
  });
});

describe('opening operations on one resource', () => {
  it('allows one open operation at a time, and then another', async () => {
    const resourceId = newId('ord', Date.now());
    const first = await openToy(world.app, market.call, { resourceId });
    const second = () => openToy(world.app, market.call, { resourceId });
    await expect(second()).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      details: { reason: 'another operation on this resource is in progress', retryAfter: 1 },
    });
    await engine.execute(first);
    await engine.execute(await second());
  });

  it('opens one of ten at once', async () => {
    const resourceId = newId('ord', Date.now());
    const opened = await Promise.allSettled(
      Array.from({ length: 10 }, () => openToy(world.app, market.call, { resourceId })),
    );
    const won = opened.filter(({ status }) => status === 'fulfilled');
    const lost = opened.filter(
      (each) => each.status === 'rejected' && isRefusal('SERVICE_UNAVAILABLE')(each.reason),
    );
    expect([won.length, lost.length]).toEqual([1, 9]);
    await engine.runWorker();
  });
});
