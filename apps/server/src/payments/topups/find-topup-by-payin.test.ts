import { expect, it } from 'vitest';
import { openTopupWorld, requestTopup, topupIn } from '../../testing/topups.ts';
import { useOpened } from '../../testing/use-world.ts';
import { findTopupByPayin } from './find-topup-by-payin.ts';

const world = useOpened(openTopupWorld);

it('finds the top-up by our id and by the provider’s, and nothing by any other', async () => {
  const market = await world.market();
  const topup = await requestTopup(world, market);
  const found = { marketplace: market.call.actor.marketplace, topupId: topup.id };
  const find = (...names: (string | null)[]) => findTopupByPayin(world.app.pool, names);
  expect(await find(topup.id, null)).toEqual(found);
  expect(await find(null, topup.providerPayinId)).toEqual(found);
  expect(await find('unknown', topup.providerPayinId)).toEqual(found);
  expect(await find('unknown', null)).toBeUndefined();
  const early = await topupIn(world, market, 'TOPUP_CREATED');
  expect(await find(early.id)).toMatchObject({ topupId: early.id });
});
