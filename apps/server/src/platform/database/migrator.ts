//! Applies the migrations: numbered SQL files, forward only, one runner at a time, beside traffic.
//! A runner that was killed leaves nothing half done that the next one does not put right.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import type { Log } from '../process/log.ts';
import { type MigrationSession, openMigrationSession } from './migration-session.ts';
import { applyOnline } from './online-migration.ts';

const DIRECTORY = fileURLToPath(new URL('migrations', import.meta.url));
const FILE = /^\d{4}_[a-z0-9_]+(\.online)?\.sql$/;
/** The key of node-pg-migrate, which earlier builds used: never one of them beside this one. */
const LOCK_KEY = '7241865325823964';
const LOCK_POLL_MS = 500;
const LOCK_REPORT_POLLS = 20;

export interface MigrateOptions {
  readonly directory?: string;
  readonly log?: Pick<Log, 'info' | 'warn'>;
  /** For each migration that finds its tables locked. */
  readonly triesMax?: number;
}

/**
 * Returns the names that were applied. A second runner waits for the first and finds nothing
 * left.
 */
export async function migrate(
  databaseUrl: string,
  { directory = DIRECTORY, log, triesMax = 30 }: MigrateOptions = {},
): Promise<string[]> {
  await using session = await openMigrationSession(databaseUrl, { triesMax, log });
  await acquireLock(session.client, log);
  await createRecord(session.client);
  const pending = pendingOf(migrationNames(directory), await recorded(session.client));
  for (const name of pending) {
    const text = readFileSync(join(directory, `${name}.sql`), 'utf8');
    if (name.endsWith('.online')) await applyOnline(session, name, text, recordOf(name));
    else await applyWhole(session, name, text);
    log?.info({ migration: name }, 'migration applied');
  }
  await finish(session.client);
  return pending;
}

/** The names of the files, in their order; a name that the runner would pass over is refused. */
export function migrationNames(directory: string = DIRECTORY): string[] {
  const files = readdirSync(directory).filter((file) => file.endsWith('.sql'));
  for (const file of files)
    if (!FILE.test(file)) throw new Error(`${file} must be named NNNN_name.sql or .online.sql`);
  return files.map((file) => file.replace(/\.sql$/, '')).sort();
}

/**
 * Tries again and again instead of waiting in PostgreSQL: a session that waits has a snapshot, and
 * an index that is built beside traffic would wait for that, while it is waited for itself.
 */
async function acquireLock(client: pg.Client, log: MigrateOptions['log']): Promise<void> {
  for (let polls = 1; ; polls += 1) {
    const { rows } = await client.query(`select pg_try_advisory_lock(${LOCK_KEY}) as mine`);
    if (rows[0].mine) return;
    if (polls % LOCK_REPORT_POLLS === 1)
      log?.warn({ runner: await findRunner(client) }, 'migrate waited for another runner');
    await sleep(LOCK_POLL_MS);
  }
}

async function findRunner(client: pg.Client): Promise<unknown> {
  const { rows } = await client.query(`
    select pid, client_addr as address, backend_start as since, left(query, 200) as query
    from pg_locks join pg_stat_activity using (pid)
    where locktype = 'advisory' and granted
      and (classid::bigint << 32 | objid::bigint) = ${LOCK_KEY}`);
  return rows[0];
}

/** As node-pg-migrate created it: the previous build's runner reads it too. */
async function createRecord(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`select to_regclass('public.schema_migration') as found`);
  if (rows[0].found === null)
    await client.query(`create table public.schema_migration (
      id serial primary key, name varchar(255) not null, run_on timestamp not null)`);
}

async function recorded(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query('select name from schema_migration');
  return rows.map(({ name }) => name);
}

function recordOf(name: string): string {
  return `insert into public.schema_migration (name, run_on) values ('${name}', now())`;
}

/** Names that only the database knows belong to a newer build, whose schema serves this one too. */
function pendingOf(names: readonly string[], applied: readonly string[]): string[] {
  const pending = names.filter((name) => !applied.includes(name));
  const newest = applied.toSorted().at(-1);
  const [first] = pending;
  if (first !== undefined && newest !== undefined && first < newest)
    throw new Error(
      `${first} comes before ${newest}, which this database has already: give it the next number`,
    );
  return pending;
}

/** One message, so that a runner that is frozen or killed never leaves its locks to stand. */
function applyWhole(session: MigrationSession, name: string, text: string): Promise<void> {
  const whole = `begin;\n${text}\n;${recordOf(name)};commit`;
  return session.retry(name, whole, { lockMs: 1000, statementMs: 5000 });
}

/**
 * Lets every process read the required schema level. An invalid index serves no query and costs
 * every write; this must be detected.
 */
async function finish(client: pg.Client): Promise<void> {
  await client.query('grant select on schema_migration to holdfast_api, holdfast_worker');
  const { rows } = await client.query(
    'select indexrelid::regclass::text as name from pg_index where not indisvalid',
  );
  if (rows.length > 0)
    throw new Error(`invalid indexes: ${rows.map((row) => row.name).join(', ')}`);
}
