import { afterAll, beforeAll, expect, it } from 'vitest';
import { isRefusal } from '../../testing/refusal.ts';
import { openWorld, type World } from '../../testing/world.ts';
import { getUser } from './get-user.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

it('returns users of the own marketplace only', async () => {
  const [mine, theirs] = [await world.market(), await world.market()];
  const id = await mine.user();
  expect(await getUser(world.app, mine.call, id)).toMatchObject({ id, status: 'ACTIVE' });
  await expect(getUser(world.app, theirs.call, id)).rejects.toSatisfy(isRefusal('USER_NOT_FOUND'));
});
