//! One running set for all runbooks, as production has it: a PostgreSQL with a synchronous standby,
//! Redis, an archive of the audit log, and a journal with the log lines of all processes.
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTemporaryFolder } from '../../../apps/cli/src/temporary-folder.ts';
import { HOLDFAST } from '../../harness/command-line.ts';
import { leaveOnePlatformAdmin } from '../../harness/people.ts';
import { type Replication, startReplication } from '../../harness/replication.ts';
import * as harness from '../../harness/set.ts';
import { within } from '../../harness/wait.ts';
import { openDatabaseAddress } from './database-address.ts';

export type Environment = Awaited<ReturnType<typeof openEnvironment>>;

const STANDBY_MS_MAX = 30_000;

const ENV = {
  HOLDFAST_RATE_LIMIT: '100000',
  HOLDFAST_MASTER_RATE_LIMIT: '100000',
  HOLDFAST_INTERNAL_PORT: '0',
  HOLDFAST_DURABILITY: 'standby',
  HOLDFAST_LOG_LEVEL: 'info',
};

export async function openEnvironment() {
  await using cleanup = new AsyncDisposableStack();
  const folder = cleanup.use(createTemporaryFolder('holdfast-runbooks')).path;
  const replication = harness.needed(await startReplication(), 'PostgreSQL');
  cleanup.defer(async () => replication.stop());
  await untilSynchronous(replication);
  const address = await openDatabaseAddress(replication.primary.port);
  cleanup.defer(() => address.close());
  const archive = createArchive(folder);
  const journal = join(folder, 'journal');
  const opened = await harness.openEnvironment(
    {
      postgres: `postgres://postgres@127.0.0.1:${address.port}/postgres`,
      logFile: journal,
      hasRedis: true,
      env: { ...ENV, ...archive.env },
    },
    async (set) => {
      // As where only one is active: the master key then does what takes two in the console.
      await leaveOnePlatformAdmin(set.databaseUrl);
      // Its server is killed, and it connects again.
      set.monitor.on('error', () => undefined);
      return {
        ...{ replication, address, folder, archive, journal },
        programs: createPrograms(folder, journal),
      };
    },
  );
  cleanup.use(opened);
  const all = cleanup.move();
  return { ...opened, stop: () => all.disposeAsync() };
}

/** Without it, no process starts. */
async function untilSynchronous({ primary }: Replication): Promise<void> {
  const isSynchronous = async () => {
    const rows = await primary.query(
      `select from pg_stat_replication where sync_state in ('sync', 'quorum')`,
    );
    return rows.length > 0;
  };
  if (!(await within(STANDBY_MS_MAX, isSynchronous))) throw new Error('no standby is synchronous');
}

/** `holdfast`, as an installation puts it on the PATH, and the journal of the host. */
function createPrograms(folder: string, journal: string): string {
  const programs = join(folder, 'programs');
  mkdirSync(programs);
  const add = (name: string, line: string) =>
    writeFileSync(join(programs, name), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  add('holdfast', `exec ${process.execPath} ${HOLDFAST.join(' ')} "$@"`);
  // A line that is being written is none yet.
  add('journalctl', `grep '^{.*}$' ${journal}`);
  return programs;
}

/** As docs/operations/audit-archive.md sets it up. */
function createArchive(folder: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const archive = join(folder, 'archive');
  const keyFile = join(folder, 'audit.pub');
  mkdirSync(archive);
  writeFileSync(keyFile, publicKey.export({ type: 'spki', format: 'pem' }));
  const der = privateKey.export({ type: 'pkcs8', format: 'der' });
  return {
    folder: archive,
    keyFile,
    env: {
      HOLDFAST_AUDIT_EXPORT: `file:${archive}`,
      HOLDFAST_AUDIT_SIGNING_KEY: der.toString('base64'),
    },
  };
}
