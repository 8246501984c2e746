//! Applies the migrations: numbered SQL files, forward only, one runner at a time.
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import pg from 'pg';

const DIRECTORY = fileURLToPath(new URL('migrations', import.meta.url));
const TRIES_MAX = 120;

/**
 * Returns the names that were applied. A second runner waits for the first and finds nothing
 * left.
 */
export async function migrate(databaseUrl: string): Promise<string[]> {
  for (let tries = 1; ; tries += 1) {
    try {
      const applied = await runner({
        databaseUrl,
        dir: DIRECTORY,
        direction: 'up',
        migrationsTable: 'schema_migration',
        checkOrder: true,
        log: () => undefined,
        decamelize: false,
      });
      await finish(databaseUrl);
      return applied.map(({ name }) => name);
    } catch (error) {
      if (tries === TRIES_MAX || !/already running/i.test((error as Error).message)) throw error;
      await sleep(500);
    }
  }
}

/**
 * Lets every process read the required schema level. A time-out can leave an index invalid that was
 * built beside traffic; this must be detected.
 */
async function finish(databaseUrl: string): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    await client.query('grant select on schema_migration to holdfast_api, holdfast_worker');
    const { rows } = await client.query(
      'select indexrelid::regclass::text as name from pg_index where not indisvalid',
    );
    if (rows.length > 0)
      throw new Error(`invalid indexes: ${rows.map((row) => row.name).join(', ')}`);
  } finally {
    await client.end();
  }
}
