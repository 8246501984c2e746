//! Fills the journal through the posting functions, so that the auditor can check all of it.
import type { Pool } from 'pg';
import { type Post, poster } from './api.ts';
import { inLanes } from './lanes.ts';
import { createMarketplace, createUser, marketplaceNumber } from './people.ts';
import type { OpenSet } from './set.ts';

const USERS = 200;
const LANES = 2;
/** For each user in one commit: five of each two hundred users are a thousand entries. */
const ROUNDS_PER_COMMIT = 5;
const AMOUNT_MINOR = 100;

export async function seedEntries(set: OpenSet, entries: number): Promise<void> {
  const { ready } = set.set;
  const { monitor } = set;
  const { id, key } = await createMarketplace(ready, 'past');
  const post: Post = poster({ api: set.api, apiKey: key });
  const numbers = Array.from({ length: USERS }, (_, at) => at);
  await inLanes(numbers, 8, (number) => createUser(post, { externalUserId: `past-${number}` }));
  const marketplace = await marketplaceNumber(monitor, id);
  const house = await openAccounts(monitor, marketplace);
  const commits = Math.ceil(entries / (USERS * ROUNDS_PER_COMMIT));
  await inLanes(Array.from({ length: commits }), LANES, () =>
    postRounds(monitor, marketplace, house),
  );
  await monitor.query('analyze');
}

async function openAccounts(monitor: Pool, marketplace: string): Promise<string> {
  const open = 'select books.open_account($1, $2, $3, $4, now()) as id';
  const { rows } = await monitor.query(open, [marketplace, 'adjustments', '', 'USD']);
  await monitor.query(
    `select books.open_account(marketplace_id, 'user', id, 'USD', now()) from users
     where marketplace_id = $1 order by id`,
    [marketplace],
  );
  return String(rows[0].id);
}

async function postRounds(monitor: Pool, marketplace: string, house: string): Promise<void> {
  await monitor.query(
    `select count(*) from books.post_batch(now(), null, false, (
       select array_agg(row('credit', a.marketplace_id, a.id, a.owner_id, 'USD', $2::bigint,
         $3::bigint, null, 'key_past', gen_random_uuid()::text, null, null, gen_random_uuid(),
         gen_random_uuid(), new_id('aud', now()), null, null, null)::books.posting_request
         order by round, a.id)
       from account a, generate_series(1, ${ROUNDS_PER_COMMIT}) as round
       where a.marketplace_id = $1 and a.kind = 'user'))`,
    [marketplace, house, AMOUNT_MINOR],
  );
}
