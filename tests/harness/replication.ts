//! A primary and its synchronous standby on loopback, to be stopped, frozen, filled and promoted.
import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { freePorts } from '../../apps/cli/src/local-restate.ts';
import { installedPrograms, otherUser } from '../../apps/cli/src/postgres-programs.ts';
import { createTemporaryFolder } from '../../apps/cli/src/temporary-folder.ts';

export interface Server {
  readonly port: number;
  readonly adminUrl: string;
  start(): void;
  /** As if the machine had failed: nothing is flushed, no session is closed. */
  kill(): void;
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
}

export interface Replication {
  readonly primary: Server;
  readonly standby: Server;
  /** Stops the standby from receiving, until it is called. */
  freezeStandby(): Promise<() => void>;
  /** Fills the disk of the primary's data until it is called; undefined without the right to. */
  readonly fillDisk: (() => () => void) | undefined;
  stop(): void;
}

const DISK_MB = 512;

/** Undefined where PostgreSQL is not installed. */
export async function startReplication(): Promise<Replication | undefined> {
  const programs = installedPrograms();
  if (programs === undefined) return undefined;
  const asUser = otherUser();
  const temporary = createTemporaryFolder('holdfast-replication', inMemory());
  const { path: home } = temporary;
  if (asUser !== undefined) chownSync(home, asUser.uid, asUser.gid);
  const run = (name: string, args: readonly string[]) =>
    execFileSync(join(programs.bin, name), args, { cwd: home, stdio: 'ignore', ...asUser });
  const folder = (name: string) => {
    const path = join(home, name);
    mkdirSync(path, { mode: 0o700 });
    if (asUser !== undefined) chownSync(path, asUser.uid, asUser.gid);
    return path;
  };
  const [one, other] = (await freePorts(2)) as [number, number];
  const disk = folder('disk');
  const isMounted = mountDisk(disk);
  if (asUser !== undefined) chownSync(disk, asUser.uid, asUser.gid);
  const data = join(disk, 'data');
  // The log is on another disk: a server that cannot write it would end.
  const log = ['--waldir', join(home, 'wal')];
  const form = ['-U', 'postgres', '-A', 'trust', '--no-sync', '--data-checksums'];
  run('initdb', ['-D', data, ...log, ...form]);
  const primary = serverAt(run, home, { data, port: one, isSynchronous: true });
  primary.start();
  const copy = join(home, 'standby');
  const from = ['-h', '127.0.0.1', '-p', String(one), '-U', 'postgres'];
  run('pg_basebackup', ['-D', copy, '-R', '-X', 'stream', '--no-sync', '-c', 'fast', ...from]);
  const standby = serverAt(run, home, { data: copy, port: other, isSynchronous: false });
  standby.start();
  return {
    primary,
    standby,
    freezeStandby: async () => {
      const rows = await standby.query<{ pid: number }>('select pid from pg_stat_wal_receiver');
      const { pid } = rows[0] as { pid: number };
      process.kill(pid, 'SIGSTOP');
      return () => void process.kill(pid, 'SIGCONT');
    },
    fillDisk: isMounted ? () => fill(join(disk, 'filler')) : undefined,
    stop: () => {
      for (const server of [primary, standby]) server.kill();
      if (isMounted) execFileSync('umount', ['--lazy', disk]);
      temporary.remove();
    },
  };
}

/** Where tests have their PostgreSQL too: most of its time goes to the disk. */
function inMemory(): string | undefined {
  return existsSync('/dev/shm') ? '/dev/shm' : undefined;
}

function serverAt(
  run: (name: string, args: readonly string[]) => unknown,
  home: string,
  { data, port, isSynchronous }: { data: string; port: number; isSynchronous: boolean },
): Server {
  const adminUrl = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: home,
    max_connections: 200,
    shared_buffers: '64MB',
    // Settings of a standby come from the configuration, the others of this server from here.
    ...(isSynchronous ? { synchronous_standby_names: '*' } : {}),
  };
  const options = Object.entries(settings).map(([name, to]) => `-c ${name}='${to}'`);
  const files = ['-D', data, '-l', join(home, `${port}.log`), '-w'];
  return {
    port,
    adminUrl,
    start: () => void run('pg_ctl', ['start', ...files, '-o', options.join(' ')]),
    kill: () => {
      try {
        run('pg_ctl', ['stop', '-D', data, '-m', 'immediate']);
      } catch {
        // It was not running.
      }
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

/** Only an administrator may. */
function mountDisk(path: string): boolean {
  try {
    const size = `size=${DISK_MB}m`;
    execFileSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', path], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function fill(path: string): () => void {
  for (const bytes of [2 ** 20, 2 ** 12]) {
    try {
      for (;;) writeFileSync(path, Buffer.alloc(bytes), { flag: 'a' });
    } catch (error) {
      if ((error as { code?: string }).code !== 'ENOSPC') throw error;
    }
  }
  return () => rmSync(path);
}
