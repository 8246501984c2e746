import { expect, it } from 'vitest';
import { useWorld } from '../../testing/use-world.ts';

const world = useWorld();

it('creates a marketplace that keys can be created for', async () => {
  const created = await world.send('POST', '/marketplaces', {
    key: world.masterKey,
    body: { name: 'Bazaar' },
  });
  expect([created.status, created.json.data.data.name]).toEqual([201, 'Bazaar']);
  const market = await world.market({ marketplaceId: created.json.data.data.id });
  expect((await market.send('GET', '/auth/me')).json.data.data.marketplaceId).toBe(
    created.json.data.data.id,
  );
});
