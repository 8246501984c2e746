import { describe, expect, it } from 'vitest';
import { useWorld } from '../../testing/use-world.ts';
import { readConfig } from '../config/config.ts';
import { createLog } from '../process/log.ts';
import { checkDatabase, checkFacts } from './boot-checks.ts';
import { openPool } from './database.ts';

const healthy: Parameters<typeof checkFacts>[0] = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  data_checksums: 'on',
  version: 150_019,
  in_recovery: false,
  role: 'holdfast_api',
  is_unsafe: false,
  inherits: false,
  owns: 0,
  unguarded: [],
  level: '0005_books',
};

describe('checking the settings of a database', () => {
  it('finds no fault in a healthy database', () =>
    expect(checkFacts(healthy, 'holdfast_api', '0005_books')).toEqual({
      faults: [],
      warnings: [],
    }));

  it.each([
    [{ fsync: 'off' }, /fsync/],
    [{ full_page_writes: 'off' }, /full_page_writes/],
    [{ synchronous_commit: 'off' }, /synchronous_commit/],
    [{ version: 140_000 }, /15 or later/],
    [{ in_recovery: true }, /standby/],
    [{ is_unsafe: true }, /superuser/],
    [{ owns: 3 }, /owns tables/],
    [{ role: 'holdfast_worker' }, /not the login of this process; connect as holdfast_api/],
    [{ inherits: true }, /alter role holdfast_api noinherit/],
    [{ unguarded: ['users'] }, /forced on users/],
    [{ level: '0004_users_wallets' }, /0005_books are needed/],
    [{ level: null }, /needed/],
  ])('refuses %j', (change, message) => {
    const { faults } = checkFacts({ ...healthy, ...change }, 'holdfast_api', '0005_books');
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(message);
  });

  it('warns of missing checksums', () =>
    expect(
      checkFacts({ ...healthy, data_checksums: 'off' }, 'holdfast_api', '0005_books').warnings,
    ).toHaveLength(1));
});

describe('checking a real database', () => {
  const world = useWorld();
  const log = createLog('silent', 'test');

  it('passes for each process with its own login', async () => {
    await checkDatabase({ ...world.app, log }, 'api');
    await checkDatabase({ ...world.worker, log }, 'worker');
  });

  it("fails for a process with the other's login", async () => {
    await expect(checkDatabase({ ...world.app, log }, 'worker')).rejects.toThrow(
      /connect as holdfast_worker/,
    );
    await expect(checkDatabase({ ...world.worker, log }, 'api')).rejects.toThrow(
      /connect as holdfast_api/,
    );
  });

  it('fails as the owner', async () => {
    const config = readConfig(
      {
        NODE_ENV: 'development',
        DATABASE_URL: world.databaseUrl,
        HOLDFAST_MASTER_KEY_HASH: 'a'.repeat(64),
        HOLDFAST_TOKEN_SECRET: 'b'.repeat(40),
      },
      'api',
    );
    const pool = openPool(config, log);
    await expect(checkDatabase({ pool, config, log }, 'api')).rejects.toThrow(
      /superuser|owns tables/,
    );
    await pool.end();
  });

  it('fails when one table is left unguarded', async () => {
    await world.rows('alter table users no force row level security');
    await expect(checkDatabase({ ...world.app, log }, 'api')).rejects.toThrow(/forced on users/);
    await world.rows('alter table users force row level security');
  });
});
