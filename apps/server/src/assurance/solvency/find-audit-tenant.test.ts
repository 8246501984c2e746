import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWorld, type World } from '../../testing/world.ts';
import { findAuditTenant } from './find-audit-tenant.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

it('returns the oldest marketplace if none is the house, or the house if none exists', async () => {
  expect(await findAuditTenant(world.app)).toBe('0');
  const market = await world.market();
  await world.market();
  expect(await findAuditTenant(world.app)).toBe(market.call.actor.marketplace);
});
