//! Row types match the migrations, and name what a check allows.
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { cloneTemplate, dropSoon } from '../../apps/server/src/testing/database/test-database.ts';
import { ROOT } from '../generate.ts';
import { TABLES, tableTypes } from './table-types.ts';

let url: URL;
let database: pg.Client;

beforeAll(async () => {
  url = await cloneTemplate(inject('adminUrl'), inject('template'));
  database = new pg.Client(url.href);
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await dropSoon(inject('adminUrl'), url);
});

/** The columns of a table, created by this statement. */
async function columnsOf(table: string, statement: string): Promise<string[]> {
  await database.query('begin');
  let text: string;
  try {
    await database.query(statement);
    text = await tableTypes(database);
  } finally {
    await database.query('rollback');
  }
  const body = new RegExp(`^  ${table}: {\\n([^}]*)^  };`, 'm').exec(text)?.[1] ?? '';
  return body.trim().split(/;?\n\s*/);
}

describe(TABLES, () => {
  it('is as it would be generated now', async () => {
    const committed = readFileSync(`${ROOT}${TABLES}`, 'utf8');
    expect(
      committed === (await tableTypes(database)),
      `run npm run generate: ${TABLES} is stale`,
    ).toBe(true);
  });
});

describe('the type of a column', () => {
  it('is what the driver returns, with null where the column allows it', async () => {
    const statement =
      'create table kinds (a bigint not null, b timestamptz, c jsonb, d text[], e int)';
    expect(await columnsOf('kinds', statement)).toEqual([
      'a: Int8',
      'b: Instant | null',
      'c: Json | null',
      'd: string[] | null',
      'e: number | null;',
    ]);
  });

  it('is a union where a check lists its values, and only there', async () => {
    const statement = `create table lists (
      a text not null check (a in ('ONE', 'TWO')),
      b text check (b in ('x-y', 'z')),
      c text not null check (c <> ''),
      d int not null check (d in (1, 2)),
      e text not null, f text not null, check (e in ('A', 'B') or f = ''))`;
    expect(await columnsOf('lists', statement)).toEqual([
      "a: 'ONE' | 'TWO'",
      "b: 'x-y' | 'z' | null",
      'c: string',
      'd: number',
      'e: string',
      'f: string;',
    ]);
  });

  it('must be known', async () => {
    await expect(columnsOf('odd', 'create table odd (at point)')).rejects.toThrow(
      'odd.at is a point',
    );
  });
});
