import type { UserId } from '@holdfast/kernel/ids';
import { expect, it } from 'vitest';
import { useWorld } from '../../testing/use-world.ts';
import { getUser } from './read-users.ts';

const world = useWorld();

it('returns a user', async () => {
  const market = await world.market();
  const id = await market.user();
  expect(await getUser(world.app, market.call, id)).toMatchObject({ id, status: 'ACTIVE' });
});

it('lists users newest first, filters by status and time, and refuses an unknown value', async () => {
  const market = await world.market();
  const created = [await market.user(), await market.user(), await market.user()].reverse();
  const { externalUserId } = await getUser(world.app, market.call, created[1] as UserId);
  const named = `externalUserId=${externalUserId}`;
  for (const [query, found] of [
    ['', created],
    ['status=ACTIVE', created],
    ['status=SUSPENDED', []],
    ['created_after=2020-01-01', created],
    ['created_after=2200-01-01', []],
    ['createdBefore=2020-01-01', []],
    [`${named}&created_after=2020-01-01&created_before=2200-01-01`, [created[1]]],
    [`${named}&created_after=2200-01-01`, []],
    [`${named}&created_before=2020-01-01`, []],
  ] as const) {
    const { json } = await market.send('GET', `/users?${query}`);
    expect(
      json.data.data.map(({ id }: { id: string }) => id),
      query,
    ).toEqual(found);
  }
  for (const query of [
    'status=NOPE',
    'limit=0',
    'limit=101',
    'limit=many',
    'created_after=yesterday',
    'stray=1',
  ]) {
    expect((await market.send('GET', `/users?${query}`)).status, query).toBe(400);
  }
});
