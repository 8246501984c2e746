import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWorld, type World } from '../testing/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

it('makes a marketplace that keys can be made for', async () => {
  const made = await world.send('POST', '/marketplaces', {
    key: world.masterKey,
    body: { name: 'Bazaar' },
  });
  expect([made.status, made.json.data.data.name]).toEqual([201, 'Bazaar']);
  const market = await world.market({ marketplaceId: made.json.data.data.id });
  expect((await market.send('GET', '/auth/me')).json.data.data.marketplaceId).toBe(
    made.json.data.data.id,
  );
});
