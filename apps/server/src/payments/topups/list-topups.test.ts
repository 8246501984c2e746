import { instantText } from '@holdfast/kernel/clock';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTopupWorld, requestTopup, type TopupWorld, topupIn } from '../../testing/topups.ts';
import type { Market } from '../../testing/world.ts';
import { listTopups } from './list-topups.ts';
import type { Topup } from './topup.ts';

let world: TopupWorld;
let market: Market;
const created: Topup[] = [];
beforeAll(async () => {
  world = await openTopupWorld();
  market = await world.market();
  const userId = await market.user();
  for (let count = 0; count < 3; count += 1)
    created.push(await requestTopup(world, market, { userId }));
  created.push(await topupIn(world, market, 'TOPUP_SUCCEEDED'));
  await requestTopup(world, await world.market());
});
afterAll(() => world.close());

const list = async (query: Parameters<typeof listTopups>[2]) =>
  (await listTopups(world.app, market.call, query)).items.map(({ id }) => id);
const ids = (...at: number[]) => at.map((each) => created[each]?.id);

it('returns top-ups newest first, page by page, of one marketplace', async () => {
  expect(await list({})).toEqual(ids(3, 2, 1, 0));
  const first = await listTopups(world.app, market.call, { limit: '3' });
  expect([first.hasMore, first.nextCursor]).toEqual([true, created[1]?.id]);
  expect(await list({ limit: '3', cursor: first.nextCursor ?? '' })).toEqual(ids(0));
});

it('combines its filters', async () => {
  const [first, second] = created as [Topup, Topup];
  const { userId } = first;
  const waiting = 'TOPUP_AWAITING_USER_CONFIRMATION';
  expect(await list({ userId })).toEqual(ids(2, 1, 0));
  expect(await list({ status: waiting })).toEqual(ids(2, 1, 0));
  expect(await list({ status: 'TOPUP_SUCCEEDED' })).toEqual(ids(3));
  expect(await list({ status: 'TOPUP_SUCCEEDED', userId })).toEqual([]);
  const createdAfter = instantText(second.createdAt);
  expect(await list({ userId, status: waiting, createdAfter })).toEqual(ids(2, 1));
  expect(await list({ status: waiting, createdBefore: createdAfter })).toEqual(ids(0));
});
