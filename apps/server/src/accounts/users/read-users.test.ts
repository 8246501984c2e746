import type { UserId } from '@holdfast/kernel/ids';
import { expect, it } from 'vitest';
import { read, type Tx } from '../../platform/database/transact.ts';
import { addNamesakes, rowsReadBy } from '../../testing/scenarios/namesakes.ts';
import { useWorld } from '../../testing/use-world.ts';
import { getUser } from './read-users.ts';
import { listUserRows, type User, type UserFilter } from './user.ts';

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

// The planner must not depend on statistics, which an attacker can outrun.
it.each(['select', 'analyze users'])(
  'finds a page of namesakes in one statement that reads no others, after %s',
  async (before) => {
    const market = await world.market();
    await addNamesakes(world, market, 'Same@example.com');
    await world.rows(before);
    const page = (filter: UserFilter, after: string | null = null) =>
      read(world.app, market.call, async (tx) => {
        const read: number[] = [];
        const query: Tx['query'] = async (statement) => {
          read.push(await rowsReadBy(tx, statement));
          return tx.query(statement);
        };
        return { users: await listUserRows({ ...tx, query }, filter, after, 21), read };
      });
    const email = 'same@Example.com';
    const first = await page({ email });
    const second = await page({ email, status: 'ACTIVE' }, first.users.at(-1)?.id);
    const names = [...first.users, ...second.users].map(({ externalUserId }) => externalUserId);
    expect(names).toEqual(Array.from({ length: 42 }, (_, at) => `0${1000 - at}`));
    expect([first.read, second.read]).toEqual([[21], [21]]);
    const both = await page({ email, externalUserId: '07' });
    expect(both.users.map((user: User) => user.email)).toEqual(['Same@example.com']);
    expect((await page({ email: 'other@example.com', externalUserId: '07' })).users).toEqual([]);
  },
);
