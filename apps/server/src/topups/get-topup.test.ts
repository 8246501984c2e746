import { afterAll, beforeAll, expect, it } from 'vitest';
import { isRefusal } from '../testing/refusal.ts';
import { askFor, openTopupWorld, type TopupWorld } from '../testing/topups.ts';
import { getTopup } from './get-topup.ts';

let world: TopupWorld;
beforeAll(async () => {
  world = await openTopupWorld();
});
afterAll(() => world.close());

it('is as it was asked for, to whoever asked and to nobody else', async () => {
  const [market, stranger] = [await world.market(), await world.market()];
  const topup = await askFor(world, market, { description: 'for the table' });
  expect(await getTopup(world.app, market.call, topup.id)).toEqual(topup);
  const refused = getTopup(world.app, stranger.call, topup.id);
  await expect(refused).rejects.toSatisfy(isRefusal('TOPUP_NOT_FOUND'));
});
