import { expect, it } from 'vitest';
import { useWorld } from '../../testing/use-world.ts';
import { listUsers } from './list-users.ts';

const world = useWorld();

it('pages newest first without gap or repeat', async () => {
  const market = await world.market();
  const created: string[] = [];
  for (let count = 0; count < 7; count += 1) created.push(await market.user());
  const seen: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await listUsers(world.app, market.call, {
      limit: '3',
      ...(cursor ? { cursor } : {}),
    });
    seen.push(...page.items.map(({ id }) => id));
    if (!page.hasMore) break;
    cursor = page.nextCursor ?? undefined;
  }
  expect(seen).toEqual(created.toReversed());
});

it('filters by status and time, and refuses an unknown value', async () => {
  const market = await world.market();
  const id = await market.user();
  const ids = async (query: string) =>
    (await market.send('GET', `/users?${query}`)).json.data.data.map(
      (user: { id: string }) => user.id,
    );
  expect(await ids('status=ACTIVE')).toEqual([id]);
  expect(await ids('status=SUSPENDED')).toEqual([]);
  expect(await ids('created_after=2020-01-01')).toEqual([id]);
  expect(await ids('createdBefore=2020-01-01')).toEqual([]);
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
