//! Tests that a process refuses a connection through a real PgBouncer, however that is set up.
import { spawn } from 'node:child_process';
import { chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findPgbouncer } from '../../../../../tools/installed.ts';
import { adopt } from '../../../../cli/src/children.ts';
import { freePorts } from '../../../../cli/src/local-restate.ts';
import { otherUser } from '../../../../cli/src/postgres-programs.ts';
import { createTemporaryFolder } from '../../../../cli/src/temporary-folder.ts';
import { until } from '../../testing/until.ts';
import { useWorld } from '../../testing/use-world.ts';
import { checkDatabase } from './boot-checks.ts';
import { openPool } from './database.ts';

const program = findPgbouncer();
/** Contributors without PgBouncer may skip these tests; CI may not. */
const isLeftOut = program === undefined && process.env['CI'] === undefined;

describe.skipIf(isLeftOut)('a connection through PgBouncer', () => {
  const world = useWorld();

  /** Returns the URL of the database behind it. */
  async function startPgbouncer(settings: readonly string[]): Promise<string> {
    const { path } = createTemporaryFolder('holdfast-pgbouncer');
    const url = new URL(world.databaseUrl);
    const [port] = (await freePorts(1)) as [number];
    const host = url.searchParams.get('host') ?? url.hostname;
    const user = url.searchParams.get('user') ?? url.username;
    const file = join(path, 'pgbouncer.ini');
    const lines = [
      '[databases]',
      `* = host=${host} port=${url.port || 5432}${url.password && ` password=${url.password}`}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = trust',
      `auth_file = ${join(path, 'users')}`,
      ...settings,
    ];
    writeFileSync(file, lines.join('\n'));
    writeFileSync(join(path, 'users'), `"${user}" ""\n`);
    const asUser = otherUser();
    if (asUser !== undefined) chownSync(path, asUser.uid, asUser.gid);
    const how = { stdio: 'ignore', cwd: '/', ...asUser } as const;
    const server = adopt(spawn(program as string, [file], how));
    onTestFinished(() => void server.kill('SIGKILL'));
    const through = `postgres://${user}@127.0.0.1:${port}${url.pathname}`;
    await until(async () => {
      const client = new pg.Client(through);
      client.on('error', () => undefined);
      const isThere = await client.connect().then(
        () => true,
        () => false,
      );
      await client.end().catch(() => undefined);
      return isThere;
    }, 10_000);
    return through;
  }

  it.each([
    ['as it comes', []],
    ['that drops settings, pooling sessions', ['ignore_startup_parameters = options']],
    [
      'that drops settings, pooling transactions',
      ['ignore_startup_parameters = options', 'pool_mode = transaction'],
    ],
  ])('is refused with the reason: PgBouncer %s', async (_, settings) => {
    const config = { ...world.app.config, DATABASE_URL: await startPgbouncer(settings) };
    const pool = openPool(config, world.app.log);
    onTestFinished(() => pool.end());
    await expect(checkDatabase({ ...world.app, config, pool }, 'api')).rejects.toThrow(
      /leads through a pooler, such as PgBouncer: Holdfast needs sessions of its own/,
    );
  });
});
