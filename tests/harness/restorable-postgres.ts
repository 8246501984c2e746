//! A PostgreSQL that can be set back to an earlier moment, in each way that a host has.
import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts } from '../../apps/cli/src/local-restate.ts';
import {
  CLUSTER_FORM,
  openServerHome,
  type Server,
  type ServerHome,
  serverIn,
} from './postgres-server.ts';
import { within } from './wait.ts';

/**
 * `pitr`: an older backup and the archive, up to that moment. `backup`: a backup of that moment,
 * recovered to its end. `copy`: the files as they were, as a snapshot of the disk has them. `dump`:
 * the content, in a new cluster.
 */
export const WAYS = ['pitr', 'backup', 'copy', 'dump'] as const;
export type Way = (typeof WAYS)[number];

/** The ways after which the server has the name that it had before. */
export const SAME_SERVER: readonly Way[] = ['copy'];

export interface Restorable {
  readonly server: Server;
  /** Saves the present moment; the result sets a server that was killed back to it. */
  save(way: Way): Promise<() => Promise<void>>;
  stop(): void;
}

const ARCHIVED_MS_MAX = 20_000;
const RECOVERED_MS_MAX = 60_000;

/** Undefined where PostgreSQL is not installed. */
export async function startRestorable(): Promise<Restorable | undefined> {
  const home = openServerHome('restorable');
  if (home === undefined) return undefined;
  const [port] = (await freePorts(1)) as [number];
  const data = join(home.path, 'data');
  const archive = home.folder('archive');
  home.run('initdb', ['-D', data, ...CLUSTER_FORM]);
  const settings = { archive_mode: 'on', archive_command: `cp %p ${archive}/%f` };
  const server = serverIn(home, { data, port, settings });
  server.start();
  const files = filesOf(home, server, data);
  // Before all writes, so that a restore from it needs the archive.
  files.backUp('first');
  return {
    server,
    save: async (way) => {
      if (way === 'pitr') {
        const target = await archiveNow(server);
        const from = `restore_command = 'cp ${archive}/%f %p'\nrecovery_target_time = '${target}'`;
        return () => files.recover('first', `${from}\nrecovery_target_action = 'promote'`);
      }
      if (way === 'backup') {
        files.backUp('backup');
        return () => files.recover('backup', `restore_command = 'false'`);
      }
      return way === 'copy' ? files.copy() : files.dump();
    },
    stop: () => {
      server.kill();
      home.remove();
    },
  };
}

function filesOf(home: ServerHome, server: Server, data: string) {
  const at = ['-h', '127.0.0.1', '-p', String(server.port), '-U', 'postgres'];
  const replace = (from: string) => {
    rmSync(data, { recursive: true });
    // With their owner, unlike a copy by Node.
    execFileSync('cp', ['-a', from, data]);
  };
  return {
    backUp: (name: string) => {
      const to = join(home.path, name);
      home.run('pg_basebackup', ['-D', to, '-X', 'stream', '--no-sync', '-c', 'fast', ...at]);
    },
    /** From a backup; the server promotes itself at the end, which starts a timeline. */
    recover: async (name: string, settings: string) => {
      replace(join(home.path, name));
      appendFileSync(join(data, 'postgresql.auto.conf'), `${settings}\n`);
      writeFileSync(join(data, 'recovery.signal'), '');
      server.start();
      const isPromoted = async () => {
        const [row] = await server.query<{ ends: boolean }>(
          'select not pg_is_in_recovery() as ends',
        );
        return row?.ends === true;
      };
      if (!(await within(RECOVERED_MS_MAX, isPromoted))) throw new Error('still in recovery');
    },
    copy: () => {
      const snapshot = join(home.path, 'copy');
      server.kill();
      execFileSync('cp', ['-a', data, snapshot]);
      server.start();
      return async () => {
        replace(snapshot);
        server.start();
      };
    },
    dump: () => {
      const file = join(home.path, 'dump.sql');
      home.run('pg_dumpall', ['-f', file, ...at]);
      // The new cluster has its first role already.
      const text = readFileSync(file, 'utf8').replace('CREATE ROLE postgres;\n', '');
      writeFileSync(file, text);
      return async () => {
        rmSync(data, { recursive: true });
        home.run('initdb', ['-D', data, ...CLUSTER_FORM]);
        server.start();
        const strict = ['-v', 'ON_ERROR_STOP=1', '-q', '-d', 'postgres'];
        home.run('psql', [...strict, '-f', file, ...at]);
      };
    },
  };
}

/** Returns the present time, once the archive reaches beyond it. */
async function archiveNow(server: Server): Promise<string> {
  const [now] = await server.query<{ now: string }>('select clock_timestamp()::text as now');
  // Recovery needs a later commit, to know that it has passed the moment.
  await server.query(`select pg_logical_emit_message(true, 'saved', 'later')`);
  const [last] = await server.query<{ file: string }>(
    'select pg_walfile_name(pg_switch_wal()) as file',
  );
  const isArchived = async () => {
    const [row] = await server.query<{ done: boolean }>(
      'select last_archived_wal >= $1 as done from pg_stat_archiver',
      [last?.file],
    );
    return row?.done === true;
  };
  if (!(await within(ARCHIVED_MS_MAX, isArchived))) throw new Error('the log was not archived');
  return now?.now ?? '';
}
