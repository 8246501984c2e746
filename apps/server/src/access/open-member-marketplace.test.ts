import { newId } from '@holdfast/kernel/ids';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWorld, type World } from '../testing/world.ts';
import { openMemberMarketplace } from './open-member-marketplace.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

it('makes the marketplace once, however many processes start at once', async () => {
  const id = newId('mkt');
  await Promise.all([1, 2, 3, 4].map(() => openMemberMarketplace(world.app, id)));
  await openMemberMarketplace(world.app, id);
  const made = await world.rows('select name from marketplace where public_id = $1', [id]);
  expect(made).toEqual([{ name: 'Surface B' }]);
  const told = await world.rows('select action from audit where resource_id = $1', [id]);
  expect(told).toEqual([{ action: 'MARKETPLACE_CREATED' }]);
});
