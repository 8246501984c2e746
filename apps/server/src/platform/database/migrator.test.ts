import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { describe, expect, inject, it } from 'vitest';
import { migrate } from './migrator.ts';

const DIRECTORY = new URL('migrations/', import.meta.url);

async function withDatabase(
  work: (url: string, client: pg.Client) => Promise<void>,
): Promise<void> {
  const adminUrl = inject('adminUrl');
  const admin = new pg.Client(adminUrl);
  await admin.connect();
  const name = `holdfast_test_migrate_${process.pid}`;
  await admin.query(`create database ${name}`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  const client = new pg.Client(url.href);
  await client.connect();
  try {
    await work(url.href, client);
  } finally {
    await client.end();
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  }
}

describe('applying migrations', () => {
  it('applies each step once with three runners at once, and nothing again', async () => {
    await withDatabase(async (url, client) => {
      const applied = await Promise.all([migrate(url), migrate(url), migrate(url)]);
      expect(applied.flat().sort()).toEqual(names());
      expect(await migrate(url)).toEqual([]);
      const { rows } = await client.query('select count(*)::int as n from schema_migration');
      expect(rows).toEqual([{ n: names().length }]);
    });
  });
});

describe('each migration file', () => {
  it('is numbered without a gap', () => {
    expect(names().map((name) => Number(name.slice(0, 4)))).toEqual(names().map((_, at) => at + 1));
  });

  // A migration must not drop data that an old build still reads, nor hold a long lock; a later
  // version may drop it.
  it.each(names())('%s is safe while the previous version runs', (name) => {
    // The body of a function runs when it is called, not during the migration.
    const text = readFileSync(new URL(`${name}.sql`, DIRECTORY), 'utf8').replaceAll(
      /\bas \$\$[\s\S]*?\$\$/g,
      '',
    );
    expect(text).not.toMatch(
      /\b(drop\s+(table|column)|rename\s+(to|column)|alter\s+column\s+\w+\s+type)\b/i,
    );
  });
});

function names(): string[] {
  return readdirSync(DIRECTORY)
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.replace('.sql', ''))
    .sort();
}
