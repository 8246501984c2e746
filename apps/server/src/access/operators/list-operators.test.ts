import { expect, it } from 'vitest';
import { desk, person } from '../../testing/operators.ts';
import { useWorld } from '../../testing/use-world.ts';

const world = useWorld();

it('pages newest first, to platform admins and the master key', async () => {
  const { id: marketplaceId } = await world.market();
  const people = [await person(world), await person(world, { marketplaceId, role: 'finance' })];
  const admin = await desk(world, { isPlatformAdmin: true, marketplaceId });
  const first = await admin.send('GET', '/operators?limit=2');
  const ids = first.json.data.data.map((each: { id: string }) => each.id);
  expect(ids).toEqual([admin.id, people[1]?.id]);
  expect(first.json.data.data[1].memberships).toEqual([
    { marketplaceId, marketplaceName: 'tests', role: 'finance' },
  ]);
  const cursor = first.json.data.nextCursor;
  const rest = await world.send('GET', `/operators?cursor=${cursor}`, { key: world.masterKey });
  expect(rest.json.data.data.map((each: { id: string }) => each.id)).toEqual([people[0]?.id]);
  for (const { text } of [first, rest]) expect(text).not.toMatch(/argon2|hash|totp/i);
});
