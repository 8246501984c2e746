//! Makes sure that the services which tests need are running, and starts those that are not.
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { findPostgres } from '../apps/cli/src/local-postgres.ts';

export interface Services {
  /** For the environment of whoever needs them. */
  readonly env: Record<string, string>;
  stop(): void;
}

const OWN_REDIS_PORT = 6390;

export async function startServices(): Promise<Services> {
  const postgres = await findPostgres(process.env['DATABASE_URL']);
  const redis = await findRedis();
  return {
    env: { DATABASE_URL: postgres.adminUrl, REDIS_URL: redis.url },
    stop: () => {
      redis.stop();
      postgres.stop();
    },
  };
}

async function findRedis(): Promise<{ url: string; stop(): void }> {
  const { REDIS_URL: named } = process.env;
  if (named !== undefined) return { url: named, stop: () => undefined };
  if (await answers(6379)) return { url: 'redis://127.0.0.1:6379', stop: () => undefined };
  const options = ['--port', String(OWN_REDIS_PORT), '--bind', '127.0.0.1', '--save', ''];
  const server = spawn('redis-server', options, { stdio: 'ignore' });
  server.on('error', () => undefined);
  for (let tries = 0; tries < 50; tries += 1) {
    if (await answers(OWN_REDIS_PORT)) {
      return { url: `redis://127.0.0.1:${OWN_REDIS_PORT}`, stop: () => void server.kill() };
    }
    await sleep(100);
  }
  throw new Error('no Redis found: set REDIS_URL, start one on 127.0.0.1:6379, or install it');
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
