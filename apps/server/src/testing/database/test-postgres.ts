//! The PostgreSQL that tests run on: the one that DATABASE_URL names, else a real one of their own.
import {
  accessSync,
  constants,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Cluster, startCluster } from '../../../../cli/src/local-cluster.ts';
import { findPostgres, type LocalPostgres } from '../../../../cli/src/local-postgres.ts';
import { freePorts } from '../../../../cli/src/local-restate.ts';

/**
 * Used where this folder is in memory. Every test file creates, fills and drops a database, and
 * mostly waits for the disk. A commit takes a tenth of its time here, a drop a twentieth. The
 * server's settings stay those of production, because our processes would not serve with others.
 */
const IN_MEMORY = '/dev/shm';
const OWN = join(IN_MEMORY, 'holdfast-tests-');
const BYTES_MIN = 4 * 1024 ** 3;
/** Every test worker has pools of its own, beside the few connections of a set of processes. */
const SETTINGS = { max_connections: '300', shared_buffers: '256MB' };

export async function findTestPostgres(): Promise<LocalPostgres> {
  const { DATABASE_URL: named } = process.env;
  return named === undefined ? startTestCluster() : findPostgres(named);
}

/** Installed programs are preferred to those that npm brings: a deployment runs those. */
export async function startTestCluster(
  own: Readonly<Record<string, string>> = {},
): Promise<Cluster> {
  clearLeftovers();
  const [port = 0] = await freePorts(1);
  const settings = { ...SETTINGS, ...own };
  const options = { settings, under: hasMemory() ? ownFolder() : undefined, port };
  return startCluster({ ...options, programs: 'installed' }).catch(() =>
    startCluster({ ...options, programs: 'embedded' }),
  );
}

/** Named after this process, so that the next run knows its owner. */
function ownFolder(): string {
  const folder = `${OWN}${process.pid}`;
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A run that was killed leaves its server running, and its databases in memory. */
function clearLeftovers(): void {
  for (const folder of globSync(`${OWN}*`)) {
    if (isRunning(Number(folder.slice(OWN.length)))) continue;
    for (const file of globSync(join(folder, '*/data/postmaster.pid'))) {
      const server = Number.parseInt(readFileSync(file, 'utf8'), 10);
      if (isRunning(server)) process.kill(server, 'SIGQUIT');
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

/** True also when it is another user's process, which we may not signal. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function hasMemory(): boolean {
  try {
    accessSync(IN_MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= BYTES_MIN;
  } catch {
    return false;
  }
}
