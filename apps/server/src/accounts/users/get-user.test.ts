import { expect, it } from 'vitest';
import { isRefusal } from '../../testing/refusal.ts';
import { useWorld } from '../../testing/use-world.ts';
import { getUser } from './get-user.ts';

const world = useWorld();

it('returns users of the own marketplace only', async () => {
  const [mine, theirs] = [await world.market(), await world.market()];
  const id = await mine.user();
  expect(await getUser(world.app, mine.call, id)).toMatchObject({ id, status: 'ACTIVE' });
  await expect(getUser(world.app, theirs.call, id)).rejects.toSatisfy(isRefusal('USER_NOT_FOUND'));
});
