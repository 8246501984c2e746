import { beforeAll, expect, it } from 'vitest';
import { type DirectEngine, executeInProcess } from '../testing/engine.ts';
import { createToyTables, openToy, type ToyPlan, toySaga } from '../testing/toy-saga.ts';
import { useWorld } from '../testing/use-world.ts';
import type { Market } from '../testing/world.ts';
import { listOperations } from './list-operations.ts';

const world = useWorld();
let market: Market;
let engine: DirectEngine;
beforeAll(async () => {
  await createToyTables(world);
  engine = executeInProcess(world, world.app, [toySaga()]);
});

const open = (plan: ToyPlan) => openToy(world.app, market.call, { plan });
const listed = async (query: Parameters<typeof listOperations>[2]) =>
  (await listOperations(world.app, market.call, query)).items.map(({ id }) => id);

it('lists newest first, page by page, to their own marketplace only', async () => {
  market = await world.market();
  const ids = [(await open({})).id, (await open({})).id, (await open({})).id].reverse();
  const first = await listOperations(world.app, market.call, { limit: '2' });
  expect(first.items.map(({ id }) => id)).toEqual(ids.slice(0, 2));
  expect(await listed({ cursor: first.nextCursor ?? '' })).toEqual(ids.slice(2));
  const otherMarket = await world.market();
  expect((await listOperations(world.app, otherMarket.call, {})).items).toEqual([]);
});

it('filters by attention, state, kind and resource', async () => {
  market = await world.market();
  const unknown = await open({ two: { unknown: 99 } });
  await engine.runWorker();
  const ended = await open({});
  await engine.runWorker();
  const fresh = await open({});
  expect(await listed({ attention: 'true' })).toEqual([unknown.id]);
  expect(await listed({ status: 'DONE' })).toEqual([ended.id]);
  expect(await listed({ status: 'RUNNING' })).toEqual([fresh.id, unknown.id]);
  expect(await listed({ resourceId: ended.resourceId })).toEqual([ended.id]);
  expect(await listed({ kind: 'toy-run', status: 'DONE' })).toEqual([ended.id]);
  expect(await listed({ kind: 'no-such' })).toEqual([]);
  const { items } = await listOperations(world.app, market.call, {});
  expect(items.map(({ isUnknown }) => isUnknown)).toEqual([false, false, true]);
});
