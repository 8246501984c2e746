import { expect, it } from 'vitest';
import { useWorld } from '../../testing/use-world.ts';
import { purgeRequests } from './purge-requests.ts';

const world = useWorld();

const days = async () =>
  (
    await world.rows<{ name: string }>(
      `select relname as name from pg_class where relname ~ '^request_log_\\d' and relkind = 'r'
       order by 1`,
    )
  ).map(({ name }) => name);

it('drops the days before the retention, and has the next ones ready', async () => {
  const created = await days();
  expect(created).toHaveLength(3);
  await world.rows(`drop table ${created.at(-1)}`);
  await world.rows(
    `create table request_log_2026_01_05 partition of request_log
     for values from (id_floor('req', '2026-01-05Z')) to (id_floor('req', '2026-01-06Z'))`,
  );
  await world.rows(`alter table request_log_2026_01_05 enable row level security`);
  expect(await purgeRequests(world.worker)).toBe(1);
  const left = await days();
  // After midnight there is one more.
  expect(left).toEqual(expect.arrayContaining(created));
  expect(left).not.toContain('request_log_2026_01_05');
  expect(await purgeRequests(world.worker)).toBe(0);
});

it('guards every partition like the whole table', async () => {
  const rows = await world.rows(
    `select from pg_class where relname ~ '^request_log_' and relkind = 'r'
     and not (relrowsecurity and relforcerowsecurity)`,
  );
  expect(rows).toEqual([]);
});
