//! Checks that the services which tests need are running, and starts the missing ones.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTemporaryFolder, type TemporaryFolder } from '../apps/cli/src/temporary-folder.ts';
import { findTestPostgres } from '../apps/server/src/testing/database/test-postgres.ts';
import {
  findChromium,
  findHeadlessShell,
  findNginx,
  findPgbouncer,
  findPrometheus,
} from './installed.ts';
import { bundlePrograms } from './pack/programs.ts';

export interface Services {
  /** Environment variables for the processes that need them. */
  readonly env: Record<string, string>;
  stop(): Promise<void>;
}

const OWN_REDIS_PORT = 6390;

export async function startServices(): Promise<Services> {
  // So that what is started here is also ended by those who end us.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const postgres = await findTestPostgres();
  const redis = await findRedis();
  if (process.env['CI'] !== undefined) installMissing();
  const programs = await bundleOwn();
  return {
    env: {
      DATABASE_URL: postgres.adminUrl,
      REDIS_URL: redis.url,
      BUNDLED_PROGRAMS: programs.path,
    },
    stop: async () => {
      redis.stop();
      await postgres.stop();
      programs.remove();
    },
  };
}

/** Inside the repository, where they find the few packages that are not bundled. */
async function bundleOwn(): Promise<TemporaryFolder> {
  const cache = join(import.meta.dirname, '../.cache');
  mkdirSync(cache, { recursive: true });
  const folder = createTemporaryFolder('programs', cache);
  await bundlePrograms(folder.path, 'all');
  // As the package has them; a test that needs one builds it.
  for (const site of ['console', 'docs'])
    symlinkSync(
      join(import.meta.dirname, `../apps/${site}/dist`),
      join(folder.path, `${site}-site`),
    );
  return folder;
}

/** Only CI's machines are ours to install on. After a failure, the test that needs it fails. */
function installMissing(): void {
  const programs = [findNginx(), findPgbouncer(), findPrometheus(), findHeadlessShell()];
  if (!programs.includes(undefined)) return;
  aptGet('update');
  const install = (...packages: string[]) =>
    aptGet('install', '--yes', '--no-install-recommends', ...packages);
  if (findNginx() === undefined) install('nginx', 'openssl');
  if (findPgbouncer() === undefined) install('pgbouncer');
  if (findPrometheus() === undefined) install('prometheus');
  if (findHeadlessShell() === undefined) install('chromium-headless-shell');
  // Not every distribution has that apart.
  if (findChromium() === undefined) install('chromium');
}

function aptGet(...args: readonly string[]): void {
  const become = userInfo().uid === 0 ? [] : ['sudo', '--non-interactive'];
  const [program, ...rest] = [...become, 'apt-get', '--quiet=2', ...args];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync(program as string, rest, { env, stdio: ['ignore', 'ignore', 'inherit'] });
}

async function findRedis(): Promise<{ url: string; stop(): void }> {
  const { REDIS_URL: named } = process.env;
  if (named !== undefined) return { url: named, stop: () => undefined };
  if (await isListening(6379)) return { url: 'redis://127.0.0.1:6379', stop: () => undefined };
  const options = ['--port', String(OWN_REDIS_PORT), '--bind', '127.0.0.1', '--save', ''];
  const server = spawn('redis-server', options, { stdio: 'ignore' });
  server.on('error', () => undefined);
  for (let tries = 0; tries < 50; tries += 1) {
    if (await isListening(OWN_REDIS_PORT)) {
      return { url: `redis://127.0.0.1:${OWN_REDIS_PORT}`, stop: () => void server.kill() };
    }
    await sleep(100);
  }
  throw new Error('no Redis found: set REDIS_URL, start one on 127.0.0.1:6379, or install it');
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
