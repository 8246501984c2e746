//! A sandbox with people in it and a database for envelopes: where cells run, one after another.
import { systemClock } from '@holdfast/kernel/clock';
import { newId } from '@holdfast/kernel/ids';
import pg from 'pg';
import { asAdmin, databaseUrl, findPostgres } from '../../apps/cli/src/local-postgres.ts';
import { type Call, systemCall } from '../../apps/server/src/platform/call.ts';
import { makeLog } from '../../apps/server/src/platform/log.ts';
import { migrate } from '../../apps/server/src/platform/migrator.ts';
import type { Transactor } from '../../apps/server/src/platform/transact.ts';
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

export interface Stage {
  readonly sandbox: Sandbox;
  readonly parties: Parties;
  /** Impatient: a slow answer is a lost one. */
  readonly adapters: Adapters;
  readonly app: Transactor & { readonly network: Adapters['network'] };
  readonly call: Call;
  readonly stop: () => Promise<void>;
}

/** The slow fault takes forty seconds; nobody here waits for it. */
const TIMEOUT_MS = 2_500;

export async function openStage(database: Database): Promise<Stage> {
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

/** A database of its own, migrated, and gone afterwards. */
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
    log: makeLog('silent', 'matrix'),
    close: async () => {
      await pool.end();
      await asOwner(`drop database if exists ${name} with (force)`);
      await postgres.stop();
    },
  };
}
