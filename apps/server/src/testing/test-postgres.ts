//! The PostgreSQL that tests run on: the one that DATABASE_URL names, else a real one of their own.
import { accessSync, constants, statfsSync } from 'node:fs';
import { type Cluster, startCluster } from '../../../cli/src/local-cluster.ts';
import { findPostgres, type LocalPostgres } from '../../../cli/src/local-postgres.ts';
import { freePorts } from '../../../cli/src/local-restate.ts';

/**
 * Where a folder lies in memory. Every test file makes, fills and drops a database, and spends most
 * of that waiting for the disk: a commit takes a tenth of its time here, a drop a twentieth. The
 * server's settings stay those of production; no process of ours would serve with others.
 */
const IN_MEMORY = '/dev/shm';
const BYTES_MIN = 4 * 1024 ** 3;
/** Beside the few that a set of processes needs, every test worker has pools of its own. */
const SETTINGS = { max_connections: '300', shared_buffers: '256MB' };

export async function findTestPostgres(): Promise<LocalPostgres> {
  const { DATABASE_URL: named } = process.env;
  return named === undefined ? startTestCluster() : findPostgres(named);
}

/** The installed programs before those that npm brings: they are what a deployment runs. */
async function startTestCluster(): Promise<Cluster> {
  const under = hasMemory() ? IN_MEMORY : undefined;
  const [port = 0] = await freePorts(1);
  const options = { settings: SETTINGS, under, port };
  return startCluster({ ...options, programs: 'installed' }).catch(() =>
    startCluster({ ...options, programs: 'embedded' }),
  );
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
