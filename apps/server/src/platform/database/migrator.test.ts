import { readdirSync } from 'node:fs';
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

function names(): string[] {
  return readdirSync(DIRECTORY)
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.replace('.sql', ''))
    .sort();
}
