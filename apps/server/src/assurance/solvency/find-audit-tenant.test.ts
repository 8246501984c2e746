import { expect, it } from 'vitest';
import { useWorld } from '../../testing/use-world.ts';
import { findAuditTenant } from './find-audit-tenant.ts';

const world = useWorld();

it('returns the oldest marketplace if none is the house, or the house if none exists', async () => {
  expect(await findAuditTenant(world.app)).toBe('0');
  const market = await world.market();
  await world.market();
  expect(await findAuditTenant(world.app)).toBe(market.call.actor.marketplace);
});
