//! Finds a PostgreSQL: the one named, the one that runs here, or one started for us.
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startCluster } from './local-cluster.ts';

export interface LocalPostgres {
  /** A URL of a database in which databases can be made. */
  readonly adminUrl: string;
  /** Which one it is, for people. */
  readonly what: string;
  /** Started by us: it goes when we go. */
  readonly isOurs: boolean;
  stop(): Promise<void>;
}

/** `embedded`: the one that npm brings; `system`: one that is here already; else a URL. */
export type PostgresChoice = string;

function running(adminUrl: string): LocalPostgres {
  const { hostname, port, searchParams } = new URL(adminUrl);
  const where = searchParams.get('host') ?? `${hostname}:${port || 5432}`;
  return { adminUrl, what: `at ${where}`, isOurs: false, stop: async () => undefined };
}

export async function findPostgres(
  choice: PostgresChoice | undefined,
  stateFolder?: string,
): Promise<LocalPostgres> {
  const dataFolder = stateFolder === undefined ? undefined : join(stateFolder, 'postgres');
  if (choice === 'embedded') return startCluster({ programs: 'embedded', dataFolder });
  if (choice !== undefined && choice !== 'system') return named(choice);
  // What was kept is in a cluster of our own: another server would know nothing of it.
  const hasOwnCluster =
    choice === undefined && dataFolder !== undefined && existsSync(join(dataFolder, 'PG_VERSION'));
  const adminUrl = hasOwnCluster ? undefined : await findRunning();
  if (adminUrl !== undefined) return running(adminUrl);
  return startCluster({ programs: choice === 'system' ? 'installed' : 'either', dataFolder });
}

async function named(url: string): Promise<LocalPostgres> {
  const found = running(url);
  await asAdmin(url, (client) => client.query('select')).catch((error: Error) => {
    throw new Error(`cannot connect to PostgreSQL ${found.what}: ${error.message}`);
  });
  return found;
}

async function findRunning(): Promise<string | undefined> {
  const user = userInfo().username;
  const candidates = [
    `postgres://${user}@127.0.0.1:5432/postgres`,
    `postgres:///postgres?host=/var/run/postgresql&user=${user}`,
    'postgres://postgres@127.0.0.1:5432/postgres',
  ];
  for (const url of candidates) if (await canCreateDatabases(url)) return url;
  return undefined;
}

async function canCreateDatabases(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  try {
    await client.connect();
    const { rows } = await client.query(
      'select rolsuper from pg_roles where rolname = current_user',
    );
    return rows[0]?.rolsuper === true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The same server, another database. */
export function databaseUrl(adminUrl: string, name: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return url.href;
}

export async function asAdmin<T>(
  adminUrl: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(adminUrl);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
