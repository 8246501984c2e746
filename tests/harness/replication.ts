//! A primary and its standby on loopback, to be stopped, frozen, filled and promoted.
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts } from '../../apps/cli/src/local-restate.ts';
import { CLUSTER_FORM, openServerHome, type Server, serverIn } from './postgres-server.ts';
import { openRelay } from './relay.ts';

export interface Replication {
  readonly primary: Server;
  readonly standby: Server;
  /** Stops the standby from receiving, until it is called. */
  freezeStandby(): Promise<() => void>;
  /** Of one that can be cut: the network between both is gone, for good. */
  cutStandby(): void;
  /** The standby takes writes from now on. */
  promote(): Promise<void>;
  /** Fills the disk of the primary's data until it is called; undefined without the right to. */
  readonly fillDisk: (() => () => void) | undefined;
  stop(): void;
}

const DISK_MB = 512;

/**
 * Synchronous: a commit on the primary waits for the standby. One that can be cut gets its data
 * through this process. Undefined where PostgreSQL is not installed.
 */
export async function startReplication({
  isSynchronous = true,
  canBeCut = false,
} = {}): Promise<Replication | undefined> {
  const home = openServerHome('replication');
  if (home === undefined) return undefined;
  const [one, other] = (await freePorts(2)) as [number, number];
  const disk = home.folder('disk');
  const isMounted = mountDisk(disk);
  home.own(disk);
  const data = join(disk, 'data');
  // The log is on another disk: a server that cannot write it would end.
  const log = ['--waldir', join(home.path, 'wal')];
  home.run('initdb', ['-D', data, ...log, ...CLUSTER_FORM]);
  // Settings of a standby come from the configuration, the others of this server from here.
  const settings = isSynchronous ? { synchronous_standby_names: '*' } : {};
  const primary = serverIn(home, { data, port: one, settings });
  primary.start();
  const copy = join(home.path, 'standby');
  const from = ['-h', '127.0.0.1', '-p', String(one), '-U', 'postgres'];
  home.run('pg_basebackup', ['-D', copy, '-R', '-X', 'stream', '--no-sync', '-c', 'fast', ...from]);
  const relay = canBeCut ? await openRelay(one) : undefined;
  const source = `host=127.0.0.1 port=${relay?.port} user=postgres`;
  const received = relay === undefined ? {} : { primary_conninfo: source };
  const standby = serverIn(home, { data: copy, port: other, settings: received });
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
    cutStandby: () => relay?.cut(),
    promote: async () => {
      await standby.query('select pg_promote()');
    },
    fillDisk: isMounted ? () => fill(join(disk, 'filler')) : undefined,
    stop: () => {
      for (const server of [primary, standby]) server.kill();
      relay?.close();
      if (isMounted) execFileSync('umount', ['--lazy', disk]);
      home.remove();
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
