//! A database with every migration, on the PostgreSQL that tests use; dropped afterwards.
import pg from 'pg';
import { migrate } from '../../apps/server/src/platform/database/migrator.ts';
import { dropAll, PREFIX } from '../../apps/server/src/testing/database/test-database.ts';
import { findTestPostgres } from '../../apps/server/src/testing/database/test-postgres.ts';

export async function withMigratedDatabase<T>(
  work: (database: pg.Client) => Promise<T>,
): Promise<T> {
  const postgres = await findTestPostgres();
  // A run of tests drops it if this process is killed: the name ends with its id.
  const name = `${PREFIX}tables_${process.pid}`;
  const url = new URL(postgres.adminUrl);
  url.pathname = `/${name}`;
  try {
    await asClient(postgres.adminUrl, (admin) => admin.query(`create database ${name}`));
    await migrate(url.href);
    return await asClient(url.href, work);
  } finally {
    await dropAll(postgres.adminUrl, [name]);
    await postgres.stop();
  }
}

async function asClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
