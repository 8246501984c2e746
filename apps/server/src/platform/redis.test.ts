//! Tests with a Redis of their own: a cluster is refused, an absent or silent one is done without.
import { spawn } from 'node:child_process';
import { systemClock } from '@holdfast/kernel/clock';
import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { adopt } from '../../../cli/src/children.ts';
import { freePorts } from '../../../cli/src/local-restate.ts';
import { createTemporaryFolder } from '../../../cli/src/temporary-folder.ts';
import { redisCounter } from '../api/http/rate-limit.ts';
import { eventually } from '../testing/until.ts';
import type { Log } from './process/log.ts';
import { StartFault } from './process/start-fault.ts';
import { checkRedis } from './redis.ts';

async function startRedis(port: number, ...more: string[]) {
  const { path } = createTemporaryFolder('holdfast-redis');
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', path];
  const server = adopt(spawn('redis-server', [...args, ...more], { stdio: 'ignore' }));
  onTestFinished(() => void server.kill('SIGKILL'));
  // Without a limit, or it gives up after 20 tries, though a server may start later than that.
  const untilItStarts = { retryStrategy: () => 20, maxRetriesPerRequest: null };
  const redis = new Redis(port, '127.0.0.1', untilItStarts);
  redis.on('error', () => undefined);
  await redis.ping();
  redis.disconnect();
  return server;
}

function recorder() {
  const lines: string[] = [];
  const write = (_: unknown, text: string) => void lines.push(text);
  return { lines, log: { debug: write, info: write, warn: write, error: write } as unknown as Log };
}

it('refuses a cluster at the start, and reports one that comes later', async () => {
  const [port] = (await freePorts(1)) as [number];
  const url = `redis://127.0.0.1:${port}`;
  await checkRedis(url);
  const { lines, log } = recorder();
  const counter = redisCounter(url, systemClock, log);
  onTestFinished(() => counter.close());
  expect((await counter.add('key:a')).count).toBe(2);

  await startRedis(port, '--cluster-enabled', 'yes');
  await expect(checkRedis(url)).rejects.toThrow(StartFault);
  await expect(checkRedis(url)).rejects.toThrow(/^REDIS_URL names a node of a Redis Cluster/);
  await eventually(10_000, () => expect(lines).toContain('redis cluster refused'));
  expect((await counter.add('key:a')).count).toBe(4);
  expect(counter.fallbacks()).toBe(2);
});

it('accepts a single node, and passes over no Redis', async () => {
  const [port] = (await freePorts(1)) as [number];
  await startRedis(port);
  await checkRedis(`redis://127.0.0.1:${port}`);
  await checkRedis(undefined);
});

it('waits for a silent Redis once a second at most, and uses it again when it replies', async () => {
  const [port] = (await freePorts(1)) as [number];
  const server = await startRedis(port);
  const counter = redisCounter(`redis://127.0.0.1:${port}`, systemClock, recorder().log);
  onTestFinished(() => counter.close());
  await eventually(10_000, () => expect(counter.isUp()).toBe(true));
  expect((await counter.add('key:a')).count).toBe(1);
  server.kill('SIGSTOP');
  const startedAt = performance.now();
  for (let times = 0; times < 50; times += 1) await counter.add('key:a');
  expect(performance.now() - startedAt).toBeLessThan(1000);
  expect(counter.fallbacks()).toBe(50);
  expect(counter.isUp()).toBe(false);
  server.kill('SIGCONT');
  await eventually(10_000, async () => {
    const before = counter.fallbacks();
    await counter.add('key:a');
    expect(counter.fallbacks()).toBe(before);
  });
});
