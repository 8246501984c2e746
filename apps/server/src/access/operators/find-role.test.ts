import { expect, it } from 'vitest';
import { person } from '../../testing/operators.ts';
import { useWorld } from '../../testing/use-world.ts';
import { findRole } from './find-role.ts';

const world = useWorld();

it('finds the role of an operator who has one there and is not disabled', async () => {
  const [market, other] = [await world.market(), await world.market()];
  const { id, email } = await person(world, { marketplaceId: market.id, role: 'finance' });
  const find = (marketplace: string) => findRole(world.app, id, marketplace);
  expect(await find(market.call.actor.marketplace)).toEqual({
    email,
    name: 'Ada',
    role: 'finance',
  });
  expect(await find(other.call.actor.marketplace)).toBeUndefined();
  const body = { status: 'DISABLED' };
  await world.send('PUT', `/operators/${id}/status`, { key: world.masterKey, body });
  expect(await find(market.call.actor.marketplace)).toBeUndefined();
});
