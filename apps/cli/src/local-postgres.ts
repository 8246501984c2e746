//! Finds a PostgreSQL to work with: the one named, the one that runs here, or one started for us.
import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

export interface LocalPostgres {
  /** A URL of a database in which databases can be made. */
  readonly adminUrl: string;
  stop(): void;
}

const running = { stop: () => undefined };

export async function findPostgres(named: string | undefined): Promise<LocalPostgres> {
  if (named !== undefined) return { adminUrl: named, ...running };
  const user = userInfo().username;
  const candidates = [
    `postgres://${user}@127.0.0.1:5432/postgres`,
    `postgres:///postgres?host=/var/run/postgresql&user=${user}`,
    'postgres://postgres@127.0.0.1:5432/postgres',
  ];
  for (const adminUrl of candidates) {
    if (await canMakeDatabases(adminUrl)) return { adminUrl, ...running };
  }
  return startPostgres();
}

async function canMakeDatabases(url: string): Promise<boolean> {
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

/**
 * A cluster of our own in a temporary folder, gone when we stop. PostgreSQL refuses to run as
 * root.
 */
function startPostgres(): LocalPostgres {
  const bin = findBinaries();
  const home = mkdtempSync(join(tmpdir(), 'holdfast-postgres-'));
  const asPostgres = userInfo().uid === 0 ? postgresUser() : undefined;
  if (asPostgres !== undefined) chownSync(home, asPostgres.uid, asPostgres.gid);
  const run = (name: string, ...args: string[]) =>
    execFileSync(join(bin, name), args, { stdio: 'ignore', cwd: home, ...asPostgres });
  const data = join(home, 'data');
  run('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '--data-checksums', '-E', 'UTF8');
  // Reached by its socket alone: no port to choose, none to collide with.
  run('pg_ctl', '-D', data, '-w', '-o', `-c listen_addresses='' -k ${home}`, 'start');
  return {
    adminUrl: `postgres:///postgres?host=${home}&user=postgres`,
    stop: () => {
      run('pg_ctl', '-D', data, '-m', 'fast', '-w', 'stop');
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function findBinaries(): string {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root) : [];
  const folders = [
    ...versions
      .sort((one, other) => other.localeCompare(one, 'en', { numeric: true }))
      .map((v) => join(root, v, 'bin')),
    ...(process.env['PATH'] ?? '').split(':'),
  ];
  const found = folders.find((folder) => existsSync(join(folder, 'initdb')));
  if (found === undefined) {
    throw new Error(
      'no PostgreSQL found: set DATABASE_URL, start one on 127.0.0.1:5432, or install its server package',
    );
  }
  return found;
}

function postgresUser(): { uid: number; gid: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
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
