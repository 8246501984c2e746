import { afterAll, beforeAll, expect, it } from 'vitest';
import { person } from '../testing/operators.ts';
import { openWorld, type World } from '../testing/world.ts';
import { findRole } from './find-role.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

it('finds the role of whoever has one there, and is not disabled', async () => {
  const [market, other] = [await world.market(), await world.market()];
  const { id, email } = await person(world, { marketplaceId: market.id, role: 'finance' });
  const look = (marketplace: string) => findRole(world.app, id, marketplace);
  expect(await look(market.call.actor.marketplace)).toEqual({
    email,
    name: 'Ada',
    role: 'finance',
  });
  expect(await look(other.call.actor.marketplace)).toBeUndefined();
  const body = { status: 'DISABLED' };
  await world.send('PUT', `/operators/${id}/status`, { key: world.masterKey, body });
  expect(await look(market.call.actor.marketplace)).toBeUndefined();
});
