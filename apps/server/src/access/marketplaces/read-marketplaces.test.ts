import { expect, it } from 'vitest';
import { useWorld } from '../../testing/use-world.ts';

const world = useWorld();

it('shows the master key every marketplace, and each by its id', async () => {
  const [one, other] = [await world.market(), await world.market()];
  const listed = await world.send('GET', '/marketplaces', { key: world.masterKey });
  expect(listed.json.data.data.map((each: { id: string }) => each.id)).toEqual([other.id, one.id]);
  const got = await world.send('GET', `/marketplaces/${one.id}`, { key: world.masterKey });
  expect(got.json.data.data).toMatchObject({ id: one.id, name: 'tests', adjustmentLimit: null });
  const unknown = await world.send('GET', '/marketplaces/mkt_00000000000000000000000000', {
    key: world.masterKey,
  });
  expect(unknown.json.error.code).toBe('MARKETPLACE_NOT_FOUND');
});
