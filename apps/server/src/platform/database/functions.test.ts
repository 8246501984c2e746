//! The functions of a migrated database are those of the files in functions/, and no others.
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { cloneTemplate, dropSoon } from '../../testing/database/test-database.ts';

const FOLDER = fileURLToPath(new URL('functions/', import.meta.url));
const FILES = globSync('**/*.sql', { cwd: FOLDER }).sort();

interface Defined {
  /** With its schema. */
  readonly name: string;
  readonly definition: string;
  readonly owner: string;
  readonly grants: string[] | null;
}

let url: URL;
let client: pg.Client;

beforeAll(async () => {
  url = await cloneTemplate(inject('adminUrl'), inject('template'));
  client = new pg.Client(url.href);
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await dropSoon(inject('adminUrl'), url);
});

describe('the functions of the database', () => {
  it('have a file each, named for them in the folder of their schema', async () => {
    const names = (await readDefined()).map(({ name }) => name);
    expect(FILES.map(functionOf).sort()).toEqual(names.sort());
  });

  it.each(FILES)('%s is what the migrations created: run npm run generate', async (file) => {
    const before = await readDefined();
    await client.query(readFileSync(`${FOLDER}${file}`, 'utf8'));
    expect(await readDefined()).toEqual(before);
  });
});

describe('the ceiling of a balance', () => {
  // The constraint holds the number, which the migration took from the function.
  it('is the same in the constraint of the table', async () => {
    const { rows } = await client.query(`select pg_get_constraintdef(c.oid) as text,
      books.balance_ceiling() as ceiling from pg_constraint c where conname = 'account_ceiling_check'`);
    expect(rows).toEqual([
      {
        text: expect.stringContaining(`<= '${rows[0]?.ceiling}'::bigint`),
        ceiling: rows[0]?.ceiling,
      },
    ]);
  });
});

/** `books/orders/fund_escrow.sql` creates `books.fund_escrow`. */
function functionOf(file: string): string {
  const folders = file.replace('.sql', '').split('/');
  return `${folders.at(0)}.${folders.at(-1)}`;
}

async function readDefined(): Promise<Defined[]> {
  const { rows } = await client.query<Defined>(`
    select n.nspname || '.' || p.proname as name, pg_get_functiondef(p.oid) as definition,
      p.proowner::regrole::text as owner,
      (select array_agg(granted::text order by granted::text) from unnest(p.proacl) as granted) as grants
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname <> 'information_schema' and n.nspname !~ '^pg_' order by p.oid`);
  return rows;
}
