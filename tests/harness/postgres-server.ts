//! PostgreSQL servers of a test's own on loopback, in one temporary folder: to be killed, copied
//! and put back.
import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { installedPrograms, otherUser } from '../../apps/cli/src/postgres-programs.ts';
import { createTemporaryFolder } from '../../apps/cli/src/temporary-folder.ts';

export interface Server {
  readonly port: number;
  readonly adminUrl: string;
  start(): void;
  /** As if the machine had failed: nothing is flushed, no session is closed. */
  kill(): void;
  /** Stops all its processes where they are, until the result is called. */
  freeze(): () => void;
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
}

export interface ServerHome {
  readonly path: string;
  /** Runs a program of PostgreSQL as the user that its servers run as. */
  run(name: string, args: readonly string[]): void;
  /** A new folder of that user. */
  folder(name: string): string;
  /** Gives a folder to that user. */
  own(path: string): void;
  remove(): void;
}

export interface ServerOptions {
  readonly data: string;
  readonly port: number;
  readonly settings?: Readonly<Record<string, string>>;
}

/** For `initdb`; a test keeps nothing over a crash of the machine. */
export const CLUSTER_FORM = ['-U', 'postgres', '-A', 'trust', '--no-sync', '--data-checksums'];

/** Undefined where PostgreSQL is not installed. */
export function openServerHome(purpose: string): ServerHome | undefined {
  const programs = installedPrograms();
  if (programs === undefined) return undefined;
  const asUser = otherUser();
  const temporary = createTemporaryFolder(`holdfast-${purpose}`, inMemory());
  const own = (path: string) => {
    if (asUser !== undefined) chownSync(path, asUser.uid, asUser.gid);
  };
  own(temporary.path);
  return {
    path: temporary.path,
    own,
    run: (name, args) => {
      const how = { cwd: temporary.path, stdio: 'ignore', ...asUser } as const;
      execFileSync(join(programs.bin, name), args, how);
    },
    folder: (name) => {
      const path = join(temporary.path, name);
      mkdirSync(path, { mode: 0o700 });
      own(path);
      return path;
    },
    remove: () => temporary.remove(),
  };
}

/** By the file that names the first process; that one starts no others once it is stopped. */
function freezeAll(pidFile: string): () => void {
  const [main = ''] = readFileSync(pidFile, 'utf8').split('\n');
  process.kill(Number(main), 'SIGSTOP');
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', main], { encoding: 'utf8' });
  const pids = [main, ...children.trim().split(/\s+/)].map(Number);
  signalAll(pids, 'SIGSTOP');
  return () => signalAll(pids, 'SIGCONT');
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended.
    }
  }
}

/** Where tests have their PostgreSQL too: most of its time goes to the disk. */
function inMemory(): string | undefined {
  return existsSync('/dev/shm') ? '/dev/shm' : undefined;
}

export function serverIn(home: ServerHome, { data, port, settings }: ServerOptions): Server {
  const adminUrl = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const all = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: home.path,
    max_connections: 200,
    shared_buffers: '64MB',
    ...settings,
  };
  const options = Object.entries(all).map(([name, to]) => `-c ${name}='${to}'`);
  const files = ['-D', data, '-l', join(home.path, `${port}.log`), '-w'];
  let wake = () => {};
  return {
    port,
    adminUrl,
    start: () => home.run('pg_ctl', ['start', ...files, '-o', options.join(' ')]),
    kill: () => {
      wake();
      try {
        home.run('pg_ctl', ['stop', '-D', data, '-m', 'immediate']);
      } catch {
        // It was not running.
      }
    },
    freeze: () => {
      wake = freezeAll(join(data, 'postmaster.pid'));
      return wake;
    },
    query: async (text, values) => {
      const client = new pg.Client(adminUrl);
      client.on('error', () => undefined);
      await client.connect();
      try {
        return (await client.query(text, values)).rows;
      } finally {
        await client.end();
      }
    },
  };
}
