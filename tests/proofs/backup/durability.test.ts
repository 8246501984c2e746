//! A process starts, and an address is handed out, only where a real standby or a real archive has
//! what would otherwise be lost with the server.
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId, type WalletId } from '@holdfast/kernel/ids';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAdmin, databaseUrl } from '../../../apps/cli/src/local-postgres.ts';
import { createTemporaryFolder } from '../../../apps/cli/src/temporary-folder.ts';
import {
  claimPooledWallet,
  insertPooledWallets,
  recordStoredPositions,
  returnPooledWallet,
} from '../../../apps/server/src/accounts/custody/pooled-wallet.ts';
import { type Config, readConfig } from '../../../apps/server/src/platform/config/config.ts';
import { checkDatabase } from '../../../apps/server/src/platform/database/boot-checks.ts';
import { openPool } from '../../../apps/server/src/platform/database/database.ts';
import { migrate } from '../../../apps/server/src/platform/database/migrator.ts';
import { createLog } from '../../../apps/server/src/platform/process/log.ts';
import { startTestCluster } from '../../../apps/server/src/testing/database/test-postgres.ts';
import { type Replication, startReplication } from '../../harness/replication.ts';
import { within } from '../../harness/wait.ts';

const log = createLog('silent', 'test');
const clock = { now: () => Date.now() };

interface Database extends AsyncDisposable {
  /** Connections of an API server; their commits do not wait for a standby. */
  readonly api: { readonly pool: pg.Pool; readonly config: Config };
  readonly owner: pg.Pool;
}

async function openDatabase(adminUrl: string, durability: string): Promise<Database> {
  const name = 'holdfast_durability';
  await asAdmin(adminUrl, (client) => client.query(`create database ${name}`));
  const url = databaseUrl(adminUrl, name);
  await migrate(url);
  const config = readConfig(
    {
      NODE_ENV: 'development',
      DATABASE_URL: Object.assign(new URL(url), { username: 'holdfast_api' }).href,
      HOLDFAST_DURABILITY: durability,
      HOLDFAST_MASTER_KEY_HASH: 'a'.repeat(64),
      HOLDFAST_TOKEN_SECRET: 'b'.repeat(40),
    },
    'api',
  );
  const options = '-c synchronous_commit=local';
  const pool = new pg.Pool({ connectionString: config.DATABASE_URL, options });
  const owner = new pg.Pool({ connectionString: url, options });
  // Their server is stopped before they are closed.
  for (const each of [pool, owner]) each.on('error', () => undefined);
  return {
    api: { pool, config },
    owner,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([pool.end(), owner.end()]);
    },
  };
}

/** As a worker does; visible at once, since this commit does not wait either. */
async function store(owner: pg.Pool): Promise<void> {
  const id = newId('wal', Date.now());
  const bytes = Buffer.from('sealed');
  const wallet = { id, address: id, sealedSeed: bytes, wrappedKey: { version: 'v1', bytes } };
  await insertPooledWallets(owner, clock, newId('op', Date.now()), [wallet]);
  await recordStoredPositions(owner);
  await owner.query(`update pooled_wallet set status = 'READY'`);
}

const claim = ({ api }: Database) => claimPooledWallet({ ...api, clock });

async function isStarted({ api: { config } }: Database): Promise<boolean> {
  const pool = openPool(config, log);
  try {
    await checkDatabase({ pool, config, log }, 'api');
    return true;
  } catch (error) {
    expect((error as Error).message).toMatch(/no synchronous standby/);
    return false;
  } finally {
    await pool.end();
  }
}

describe('with a synchronous standby', { shuffle: false }, () => {
  let replication: Replication;
  let database: Database;
  beforeAll(async () => {
    const started = await startReplication();
    if (started === undefined) throw new Error('PostgreSQL must be installed');
    replication = started;
    database = await openDatabase(replication.primary.adminUrl, 'standby');
  });
  afterAll(async () => {
    await database?.[Symbol.asyncDispose]();
    replication?.stop();
  });

  it('a process starts', async () => {
    expect(await isStarted(database)).toBe(true);
  });

  it('an address is handed out once the standby has its seed', async () => {
    const thaw = await replication.freezeStandby();
    await store(database.owner);
    expect(await claim(database)).toBeUndefined();
    thaw();
    let claimed: WalletId | undefined;
    await within(20_000, async () => {
      claimed = await claim(database);
      return claimed !== undefined;
    });
    expect(claimed).toMatch(/^wal_/);
    await returnPooledWallet(database.owner, claimed as WalletId);
  });

  it('no process starts and no address is handed out when the standby is lost', async () => {
    replication.standby.kill();
    expect(await within(20_000, async () => !(await isStarted(database)))).toBe(true);
    expect(await claim(database)).toBeUndefined();
  });
});

describe('with an archive', { shuffle: false }, () => {
  const folder = createTemporaryFolder('holdfast-archive');
  const archive = join(folder.path, 'archive');
  const closed = join(folder.path, 'closed');
  let database: Database;
  let cluster: Awaited<ReturnType<typeof startTestCluster>>;
  beforeAll(async () => {
    mkdirSync(archive);
    chmodSync(folder.path, 0o755);
    chmodSync(archive, 0o777);
    cluster = await startTestCluster({
      archive_mode: 'on',
      archive_command: `test ! -f ${closed} && cp %p ${archive}/%f`,
      archive_timeout: '30',
    });
    database = await openDatabase(cluster.adminUrl, 'archive');
  });
  afterAll(async () => {
    await database?.[Symbol.asyncDispose]();
    await cluster?.stop();
    folder.remove();
  });

  it('a process starts', async () => {
    expect(await isStarted(database)).toBe(true);
  });

  it('an address is handed out once a whole segment with its seed is archived', async () => {
    writeFileSync(closed, '');
    await store(database.owner);
    expect(await claim(database)).toBeUndefined();
    await database.owner.query('select pg_switch_wal()');
    const isFailing = async () => {
      const { rows } = await database.owner.query<{ is_archive_failing: boolean }>(
        'select is_archive_failing from work.durability()',
      );
      return rows[0]?.is_archive_failing === true;
    };
    expect(await within(20_000, isFailing)).toBe(true);
    expect(await claim(database)).toBeUndefined();
    rmSync(closed);
    expect(await within(90_000, async () => (await claim(database)) !== undefined)).toBe(true);
  });
});
