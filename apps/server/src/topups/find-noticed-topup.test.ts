import { afterAll, beforeAll, expect, it } from 'vitest';
import { askFor, openTopupWorld, type TopupWorld, topupIn } from '../testing/topups.ts';
import { findNoticedTopup } from './find-noticed-topup.ts';

let world: TopupWorld;
beforeAll(async () => {
  world = await openTopupWorld();
});
afterAll(() => world.close());

it('finds whose it is by our id and by the provider’s, and nothing by any other', async () => {
  const market = await world.market();
  const topup = await askFor(world, market);
  const found = { marketplace: market.call.actor.marketplace, topupId: topup.id };
  const find = (...names: (string | null)[]) => findNoticedTopup(world.app.pool, names);
  expect(await find(topup.id, null)).toEqual(found);
  expect(await find(null, topup.providerPayinId)).toEqual(found);
  expect(await find('unknown', topup.providerPayinId)).toEqual(found);
  expect(await find('unknown', null)).toBeUndefined();
  const early = await topupIn(world, market, 'TOPUP_CREATED');
  expect(await find(early.id)).toMatchObject({ topupId: early.id });
});
