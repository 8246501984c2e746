//! The environment of the cells: a sandbox with users, and a database for envelopes.
import { systemClock } from '@holdfast/kernel/clock';
import { newId } from '@holdfast/kernel/ids';
import pg from 'pg';
import { asAdmin, databaseUrl, findPostgres } from '../../apps/cli/src/local-postgres.ts';
import { type Call, systemCall } from '../../apps/server/src/platform/call.ts';
import { migrate } from '../../apps/server/src/platform/database/migrator.ts';
import type { Transactor } from '../../apps/server/src/platform/database/transact.ts';
import { createLog } from '../../apps/server/src/platform/process/log.ts';
import { openParties, type Parties } from '../../apps/server/src/testing/parties.ts';
import {
  type Adapters,
  adaptersOf,
  openSandbox,
  type Sandbox,
} from '../../apps/server/src/testing/sandbox.ts';

export interface Database extends Transactor {
  close(): Promise<void>;
}

export interface Environment {
  readonly sandbox: Sandbox;
  readonly parties: Parties;
  /** With short timeouts: a slow reply counts as lost. */
  readonly adapters: Adapters;
  readonly app: Transactor & { readonly network: Adapters['network'] };
  readonly call: Call;
  readonly stop: () => Promise<void>;
}

/** The slow fault takes forty seconds; the tests do not wait for it. */
const TIMEOUT_MS = 2_500;

export async function openEnvironment(database: Database): Promise<Environment> {
  const sandbox = await openSandbox();
  try {
    const parties = await openParties(sandbox, { usdc: '1000000' });
    const adapters = adaptersOf(sandbox, { timeoutMs: TIMEOUT_MS });
    const { pool, clock, log } = database;
    return {
      sandbox,
      parties,
      adapters,
      app: { pool, clock, log, network: adapters.network },
      call: systemCall('1'),
      stop: () => sandbox.stop(),
    };
  } catch (error) {
    await sandbox.stop();
    throw error;
  }
}

/** A migrated database of its own, dropped afterwards. */
export async function openDatabase(): Promise<Database> {
  const postgres = await findPostgres(process.env['DATABASE_URL']);
  const name = `holdfast_matrix_${newId('op').slice(3, 19)}_${process.pid}`;
  const asOwner = (text: string) => asAdmin(postgres.adminUrl, (client) => client.query(text));
  await asOwner(`create database ${name}`);
  const connectionString = databaseUrl(postgres.adminUrl, name);
  await migrate(connectionString);
  const pool = new pg.Pool({ connectionString, max: 4, options: '-c role=holdfast_app' });
  return {
    pool,
    clock: systemClock,
    log: createLog('silent', 'matrix'),
    close: async () => {
      await pool.end();
      await asOwner(`drop database if exists ${name} with (force)`);
      await postgres.stop();
    },
  };
}
