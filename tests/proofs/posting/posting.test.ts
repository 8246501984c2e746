//! The short form of `npm run test:posting`, and faults that it must find.
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { describe, expect, inject, it } from 'vitest';
import {
  cloneTemplate,
  dropSoon,
} from '../../../apps/server/src/testing/database/test-database.ts';
import { compareWays } from './compare-ways.ts';

const FUNCTIONS = new URL(
  '../../../apps/server/src/platform/database/functions/books/',
  import.meta.url,
);
const BATCHES = 200;

describe('a batch that is posted together', () => {
  it('gives the outcomes and rows of its requests posted one by one', async () => {
    const compared = await compare();
    expect(compared.differences).toEqual([]);
    expect(compared.postedTogether).toBeGreaterThan(BATCHES / 3);
  });

  it.each([
    {
      name: 'a ceiling that is a cent too high',
      file: 'balances/accounts_allow.sql',
      find: '<= books.balance_ceiling()',
      replace: '<= books.balance_ceiling() + 1',
    },
    {
      name: 'liens that are not counted',
      file: 'balances/accounts_allow.sql',
      find: 'holder.available - holder.unconfirmed + total.lowest_delta',
      replace: 'holder.available + total.lowest_delta',
    },
    {
      name: 'a key that is not checked',
      file: 'balances/has_known_key.sql',
      find: 'seen.scope_hash = request.scope_hash',
      replace: 'seen.scope_hash = request.request_hash',
    },
    {
      name: 'a balance that only counts at the end of the batch',
      file: 'balances/running_changes.sql',
      find: "(sum(case kind when 'credit' then amount else -amount end) over of_account)::bigint",
      replace:
        "(sum(case kind when 'credit' then amount else -amount end) over (partition by account_id))::bigint",
    },
  ])('is found to differ with $name', async ({ file, find, replace }) => {
    const text = readFileSync(new URL(file, FUNCTIONS), 'utf8');
    expect(text.split(find)).toHaveLength(2);
    const compared = await compare(text.replace(find, replace));
    expect(compared.differences).not.toEqual([]);
  });
});

async function compare(changed?: string) {
  const url = await cloneTemplate(inject('adminUrl'), inject('template'));
  try {
    if (changed !== undefined) await run(url, changed);
    return await compareWays({ databaseUrls: [url.href], batches: BATCHES, seed: 5 });
  } finally {
    await dropSoon(inject('adminUrl'), url);
  }
}

async function run(url: URL, sql: string): Promise<void> {
  const client = new pg.Client(url.href);
  await client.connect();
  await client.query(sql);
  await client.end();
}
