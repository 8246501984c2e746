import { manualClock } from '@holdfast/kernel/clock';
import { expect, it } from 'vitest';
import { useOpenedEach, useWorld } from '../../testing/use-world.ts';
import { purgeEvents } from './purge-events.ts';

const DAY_MS = 86_400_000;

const world = useWorld();
const market = useOpenedEach(() => world.market());

/** Months of the log, oldest first, and when each ends. */
async function months(): Promise<{ name: string; endsAt: number }[]> {
  const rows = await world.rows<{ name: string }>(
    `select relname as name from pg_inherits join pg_class on oid = inhrelid
     where inhparent = 'event'::regclass and relname ~ '^event_\\d' order by relname`,
  );
  return rows.map(({ name }) => {
    const [, year, month] = /_(\d{4})_(\d{2})$/.exec(name) ?? [];
    return { name, endsAt: Date.UTC(Number(year), Number(month), 1) };
  });
}

const namesOf = (found: readonly { name: string }[]) => found.map(({ name }) => name);

/** A month, created as if it were still ahead. */
async function createMonth(name: string): Promise<void> {
  const [year, month] = [Number(name.slice(6, 10)), Number(name.slice(11))];
  const [first, next] = [0, 1].map((later) =>
    new Date(Date.UTC(year, month - 1 + later)).toISOString(),
  );
  await world.rows(
    `create table ${name} partition of event for values from ('${first}') to ('${next}')`,
  );
  await world.rows(`call finish_partition('event', '${name}')`);
}

async function insertEvents(...times: string[]): Promise<void> {
  await world.rows(
    `insert into event (marketplace_id, position, occurred_at, id, event_type, aggregate_id,
       payload, actor_id, correlation_id)
     select $1, position, at::timestamptz, 'evt_' || position, 'user.created', 'usr_1', '{}', 'x', 'x'
     from unnest($2::text[]) with ordinality as t (at, position)`,
    [market.call.actor.marketplace, times],
  );
}

async function positions(): Promise<number[]> {
  const rows = await world.rows<{ position: number }>(
    'select position::int from event where marketplace_id = $1 order by position',
    [market.call.actor.marketplace],
  );
  return rows.map(({ position }) => position);
}

it('drops the months that lie wholly before the retention, and keeps the rest', async () => {
  await createMonth('event_2019_03');
  await createMonth('event_2019_04');
  // The second has no month of its own, and is in the default partition, which is never dropped.
  await insertEvents(
    '2019-03-01T00:00:00Z',
    '2018-07-01T00:00:00Z',
    '2019-04-30T23:59:59.999999Z',
    new Date().toISOString(),
  );
  const before = await months();
  const retainedSince = Date.now() - 30 * DAY_MS;
  const [old, retained] = [
    before.filter(({ endsAt }) => endsAt <= retainedSince),
    before.filter(({ endsAt }) => endsAt > retainedSince),
  ];
  expect(namesOf(old)).toEqual(expect.arrayContaining(['event_2019_03', 'event_2019_04']));
  expect(await purgeEvents(world.worker)).toBe(old.length);
  expect(await months()).toEqual(retained);
  expect(await positions()).toEqual([2, 4]);
  expect(await purgeEvents(world.worker)).toBe(0);
});

it('keeps a month as long as a moment of it is within retention', async () => {
  await createMonth('event_2019_03');
  await createMonth('event_2019_04');
  await insertEvents('2019-03-31T23:59:59.999999Z', '2019-04-01T00:00:00Z');
  const endOfApril = Date.UTC(2019, 4, 1);
  const purgeAt = (now: number) => purgeEvents({ ...world.worker, clock: manualClock(now) });
  expect(await purgeAt(endOfApril + 30 * DAY_MS - 1)).toBe(1);
  expect(await positions()).toEqual([2]);
  expect(await purgeAt(endOfApril + 30 * DAY_MS)).toBe(1);
  expect(await positions()).toEqual([]);
});

it("never drops the last two days, even when the worker's clock is wrong", async () => {
  await createMonth('event_2019_03');
  await insertEvents('2019-03-01T00:00:00Z', new Date().toISOString());
  const retained = (await months()).filter(({ endsAt }) => endsAt > Date.now() - 2 * DAY_MS);
  const inTenYears = manualClock(Date.now() + 3650 * DAY_MS);
  expect(await purgeEvents({ ...world.worker, clock: inTenYears })).toBeGreaterThan(0);
  expect(await months()).toEqual(retained);
  await world.worker.pool.query(`select drop_event_months('infinity')`);
  expect(await months()).toEqual(retained);
  expect(await positions()).toEqual([2]);
});
