//! Tests a database that replies, but takes no writes: callers get 503, and readiness shows it.
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { eventually } from '../../testing/until.ts';
import { useWorld } from '../../testing/use-world.ts';
import type { Market } from '../../testing/world.ts';
import { areWritesRefused, hasDiskBeenFull, isDatabaseAway } from './database.ts';

const world = useWorld();

async function write(market: Market, user: string): Promise<[number, string | undefined][]> {
  const responses = await Promise.all([
    market.send('POST', '/users', { body: { externalUserId: randomUUID() } }),
    market.send('POST', `/users/${user}/balance/credit`, { body: { amount: '1.00' } }),
  ]);
  return responses.map(({ status, json }) => [status, json.error?.details.reason]);
}

const REFUSED: [number, string] = [503, 'database unavailable'];

it('is unavailable and not ready while it is read-only, and both end with that', async () => {
  const market = await world.market();
  const user = await market.user();
  const name = new URL(world.databaseUrl).pathname.slice(1);
  const setReadOnly = async (to: 'on' | 'off') => {
    await world.rows(`alter database ${name} set default_transaction_read_only = ${to}`);
    await world.rows(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`);
  };
  expect(await world.app.health.isReady()).toBe(true);
  await setReadOnly('on');
  await eventually(10_000, async () =>
    expect(await write(market, user)).toEqual([REFUSED, REFUSED]),
  );
  await eventually(10_000, async () => expect(await world.app.health.isReady()).toBe(false));
  await setReadOnly('off');
  await eventually(10_000, async () =>
    expect((await write(market, user)).map(([status]) => status)).toEqual([201, 200]),
  );
  await eventually(10_000, async () => expect(await world.app.health.isReady()).toBe(true));
});

it('is unavailable with a full disk; readiness then tries the disk', async () => {
  const market = await world.market();
  const user = await market.user();
  await world.rows(`create function fill_disk() returns trigger language plpgsql as $$
    begin raise exception using errcode = 'disk_full', message = 'could not extend file'; end $$`);
  const tables = ['users', 'entry'];
  for (const table of tables)
    await world.rows(`create trigger full_disk before insert on ${table}
      for each row execute function fill_disk()`);
  expect(await write(market, user)).toEqual([REFUSED, REFUSED]);
  expect(hasDiskBeenFull()).toBe(true);
  for (const table of tables) await world.rows(`drop trigger full_disk on ${table}`);
  await eventually(10_000, async () => {
    expect(await world.app.health.isReady()).toBe(true);
    expect(hasDiskBeenFull()).toBe(false);
  });
  expect((await write(market, user)).map(([status]) => status)).toEqual([201, 200]);
});

it('takes a transaction that a standby cannot run for a refused write', () => {
  const error = Object.assign(new Error('cannot use serializable mode in a hot standby'), {
    code: '0A000',
  });
  expect([areWritesRefused(error), isDatabaseAway(error)]).toEqual([true, true]);
  const other = Object.assign(new Error('cannot drop columns from view'), { code: '0A000' });
  expect([areWritesRefused(other), isDatabaseAway(other)]).toEqual([false, false]);
});

it('knows the refusal of a standby to name a file of its log', () => {
  const standby = Object.assign(new Error('recovery is in progress'), { code: '55000' });
  expect([areWritesRefused(standby), isDatabaseAway(standby)]).toEqual([true, true]);
  const other = Object.assign(new Error('lastval is not yet defined'), { code: '55000' });
  expect([areWritesRefused(other), isDatabaseAway(other)]).toEqual([false, false]);
});
