import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWorld, type World } from '../testing/world.ts';
import { findAuditPlace } from './find-audit-place.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

it('is the oldest marketplace where none is the house, and the house before there is any', async () => {
  expect(await findAuditPlace(world.app)).toBe('0');
  const market = await world.market();
  await world.market();
  expect(await findAuditPlace(world.app)).toBe(market.call.actor.marketplace);
});
