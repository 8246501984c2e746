//! Fills the bench's database: users through the API, their accounts and first money by the books.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, callWithRetry, dataOf, isUnsettled } from '../../tests/harness/api.ts';
import { inLanes } from '../../tests/harness/lanes.ts';
import { print } from '../../tests/harness/report.ts';
import type { OpenSet } from '../../tests/harness/set.ts';
import type { Monitor } from '../harness/usage.ts';

export interface Seeded {
  userIds: string[];
  /** Parameters of the baseline functions, so that they query nothing. */
  variables: { low: string; high: string; hot: string } & Record<string, string>;
  hotUserId: string;
}

/** Enough that no reserve of 1.00 is ever refused, far from the ceiling of a balance. */
const FIRST_CREDIT_MINOR = 100_000_000;
const HOT_CREDIT_MINOR = 100_000_000_000;
const AT_ONCE = 32;
const RETRY_POLICY = { msMax: 10_000, pauseMs: () => 100 };

export async function seed(set: OpenSet, users: number): Promise<Seeded> {
  const { monitor } = set;
  const repeated = await createUsers(set, users);
  if (repeated > 0) print(`POST /users failed and was repeated ${repeated} times`);
  await monitor.query(readFileSync(join(import.meta.dirname, 'baseline.sql'), 'utf8'));
  const marketplace = await one(monitor, 'select id from marketplace where public_id = $1', [
    set.set.ready.marketplaceId,
  ]);
  const actor = await one(
    monitor,
    'select id from api_key where marketplace_id = $1 order by created_at desc limit 1',
    [marketplace],
  );
  const open = 'select books.open_account($1, $2, $3, $4, now()) as id';
  const house = await one(monitor, open, [marketplace, 'adjustments', '', 'USD']);
  await monitor.query(
    `select books.open_account(marketplace_id, 'user', id, 'USD', now()) from users
     where marketplace_id = $1 order by id`,
    [marketplace],
  );
  const { rows } = await monitor.query<{ id: string; owner_id: string }>(
    `select id, owner_id from account where marketplace_id = $1 and kind = 'user' order by id`,
    [marketplace],
  );
  // Without statistics the planner looks an account up by its marketplace, and reads all of them.
  await monitor.query('analyze account');
  const [low, high] = [rows[0], rows.at(-1)];
  if (low === undefined || high === undefined || Number(high.id) - Number(low.id) + 1 !== users) {
    throw new Error('account numbers have gaps: pgbench could not pick one at random');
  }
  const prefix = await one(monitor, "select substr(id_floor('aud', now()), 5, 11) as id", []);
  await giveFirstMoney(monitor, { marketplace, house, actor, prefix, hot: low.id });
  await monitor.query(`insert into bench.account overriding system value
    select * from public.account where kind = 'user'`);
  await monitor.query('vacuum analyze');
  return {
    userIds: rows.map((row) => row.owner_id),
    hotUserId: low.owner_id,
    variables: { low: low.id, high: high.id, hot: low.id, marketplace, house, actor, prefix },
  };
}

/** Returns the number of retries after a 500 or above: a retry is safe, but it is reported. */
async function createUsers(set: OpenSet, users: number): Promise<number> {
  let requests = 0;
  await inLanes(Array.from({ length: users }), AT_ONCE, async (_, at) => {
    const body = { externalUserId: `bench-${at + 1}` };
    const response = await callWithRetry(
      '/users',
      { ...RETRY_POLICY, isTransient: isUnsettled },
      () => {
        requests += 1;
        return call(set, { path: '/users', body });
      },
    );
    dataOf('/users', response);
  });
  return requests - users;
}

/** Each user gets money and a hold of a hundredth of it, so that no request is refused. */
async function giveFirstMoney(
  monitor: Monitor,
  books: { marketplace: string; house: string; actor: string; prefix: string; hot: string },
): Promise<void> {
  const { marketplace, house, actor, prefix, hot } = books;
  for (const [digit, kind, share] of [
    ['2', 'credit', 1],
    ['3', 'reserve', 100],
  ] as const) {
    await monitor.query(
      `select books.post_batch(now(), null, true, array[row($8, $1, id, owner_id, currency,
         case $8 when 'credit' then $2::bigint end,
         (case id when $5 then $6::bigint else $7::bigint end) / $9, null, $3,
         gen_random_uuid()::text, null, null, gen_random_uuid(), gen_random_uuid(),
         'aud_' || $4 || $10 || lpad(id::text, 15, '0'),
         case $8 when 'reserve' then 'rsv_' || $4 || $10 || lpad(id::text, 15, '0') end, null, null
       )::books.posting_request])
       from account where marketplace_id = $1 and kind = 'user'`,
      [
        marketplace,
        house,
        actor,
        prefix,
        hot,
        HOT_CREDIT_MINOR,
        FIRST_CREDIT_MINOR,
        kind,
        share,
        digit,
      ],
    );
  }
}

async function one(monitor: Monitor, sql: string, values: unknown[]): Promise<string> {
  const { rows } = await monitor.query<{ id: string }>(sql, values);
  const id = rows[0]?.id;
  if (id === undefined) throw new Error(`found nothing: ${sql}`);
  return String(id);
}
