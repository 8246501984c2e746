//! The PostgreSQL that tests run on: the one that DATABASE_URL names, else a real one of their own.
import { type Cluster, startCluster } from '../../../cli/src/local-cluster.ts';
import { findPostgres, type LocalPostgres } from '../../../cli/src/local-postgres.ts';

/**
 * A server that waits for no disk: what a power cut would lose are test databases. A commit takes a
 * tenth of its time so, and making or dropping a database a twentieth; a test file does all three.
 * Whoever kills its processes still loses nothing, since the operating system keeps what was written.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_buffers: '256MB',
  max_wal_size: '4GB',
  max_connections: '300',
};

export async function findTestPostgres(): Promise<LocalPostgres> {
  const { DATABASE_URL: named } = process.env;
  if (named !== undefined) return findPostgres(named);
  return startTestCluster();
}

/** The installed programs before those that npm brings: they are what a deployment runs. */
async function startTestCluster(): Promise<Cluster> {
  const options = { settings: SETTINGS };
  return startCluster({ ...options, programs: 'installed' }).catch(() =>
    startCluster({ ...options, programs: 'embedded' }),
  );
}
