import { randomUUID } from 'node:crypto';
import { manualClock, systemClock } from '@holdfast/kernel/clock';
import { Redis } from 'ioredis';
import { beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../platform/process/log.ts';
import { useWorld } from '../../testing/use-world.ts';
import {
  addressBucket,
  memoryCounter,
  rateLimitResult,
  redisCounter,
  type Tally,
} from './rate-limit.ts';

const REDIS_URL = process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379';
const log = createLog('silent', 'test');

describe('counting in this process', () => {
  it('starts a new window when the old one is over', () => {
    const clock = manualClock(0);
    const counter = memoryCounter(clock);
    expect(
      [counter.add('a'), counter.add('a'), counter.add('b')].map((t) => (t as Tally).count),
    ).toEqual([2, 2, 1]);
    clock.advance(60_000);
    expect(counter.add('a')).toMatchObject({ count: 1, resetAt: 120_000 });
  });

  // A million addresses in a minute must fit into memory, and must not cost the callers with keys.
  it('counts addresses together where there are too many, and keys apart from them', () => {
    const counter = memoryCounter(manualClock(0), 2);
    const countOf = (bucket: string) => counter.add(bucket).count;
    expect(['ip:1', 'ip:2', 'ip:3', 'ip:4', 'ip:1'].map(countOf)).toEqual([1, 1, 1, 2, 2]);
    expect(['key:1', 'key:2', 'key:1'].map(countOf)).toEqual([1, 1, 2]);
  });
});

describe('counting in Redis', () => {
  it('is one count for two processes, with batched or separate calls', async () => {
    const [one, other] = [
      redisCounter(REDIS_URL, systemClock, log),
      redisCounter(REDIS_URL, systemClock, log),
    ];
    await ready(one);
    await ready(other);
    const bucket = randomUUID();
    const tallies = await Promise.all(
      Array.from({ length: 50 }, async (_, at) => (at % 2 ? one : other).add(bucket)),
    );
    expect(tallies.map(({ count }) => count).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 50 }, (_, at) => at + 1),
    );
    expect((await one.add(bucket)).count).toBe(51);
    await one.close();
    await other.close();
  });

  it('sets an expiry on every bucket, also on one that lost it', async () => {
    const counter = redisCounter(REDIS_URL, systemClock, log);
    await ready(counter);
    const redis = new Redis(REDIS_URL);
    const bucket = randomUUID();
    await redis.set(`holdfast:rate:${bucket}`, 5);
    const tally = await counter.add(bucket);
    expect(tally.count).toBe(6);
    expect(await redis.pttl(`holdfast:rate:${bucket}`)).toBeGreaterThan(0);
    await redis.quit();
    await counter.close();
  });

  it('continues at half the limit while Redis is down', async () => {
    const counter = redisCounter('redis://127.0.0.1:1', systemClock, log);
    const counts = [];
    for (let times = 0; times < 3; times += 1) counts.push((await counter.add('x')).count);
    expect(counts).toEqual([2, 4, 6]);
    await counter.close();
  });
});

async function ready(counter: { isUp(): boolean }): Promise<void> {
  for (let tries = 0; tries < 100 && !counter.isUp(); tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 20));
  expect(counter.isUp(), `Redis at ${REDIS_URL}`).toBe(true);
}

it('returns the remaining count, the reset time and the time to wait', () => {
  expect(rateLimitResult({ count: 100, resetAt: 61_500 }, 100, 1_000)).toEqual({
    allowed: true,
    limit: 100,
    remaining: 0,
    resetAt: 62,
    retryAfter: 61,
  });
  expect(rateLimitResult({ count: 101, resetAt: 61_500 }, 100, 61_499)).toMatchObject({
    allowed: false,
    remaining: 0,
    retryAfter: 1,
  });
});

it.each([
  ['10.0.0.1', 'ip:10.0.0.1'],
  ['::ffff:10.0.0.1', 'ip:10.0.0.1'],
  ['2001:db8:1:2:3:4:5:6', 'ip:2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff::1', 'ip:2001:db8:1:2::/64'],
  ['::1', 'ip:0:0:0:0::/64'],
])('puts %s into the bucket %s', (address, bucket) => expect(addressBucket(address)).toBe(bucket));

describe('limiting requests over HTTP', () => {
  const world = useWorld({ env: { HOLDFAST_RATE_LIMIT: '10', REDIS_URL } });
  beforeAll(() => ready(world.app.counter));

  it('limits a key, and returns the time to wait to the next request', async () => {
    const market = await world.market();
    const responses = await Promise.all(
      Array.from({ length: 12 }, () => market.send('GET', '/auth/me')),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(10);
    const limited = responses.find(({ status }) => status === 429);
    expect(limited?.json.error).toMatchObject({
      code: 'RATE_LIMITED',
      details: { limit: 10, windowSeconds: 60 },
    });
    expect(limited?.headers).toMatchObject({
      'x-ratelimit-remaining': '0',
      'retry-after': String(limited?.json.error.details.retryAfter),
    });
    expect((await (await world.market()).send('GET', '/auth/me')).status).toBe(200);
  });

  it('gives a key its own limit, and its successor the same', async () => {
    const market = await world.market({ requestsPerMinute: 3 });
    const limits = async (key: string) => {
      const sent = [];
      for (let times = 0; times < 4; times += 1)
        sent.push(await world.send('GET', '/auth/me', { key }));
      expect(sent[0]?.headers['x-ratelimit-limit']).toBe('3');
      return sent.map(({ status }) => status);
    };
    expect(await limits(market.key)).toEqual([200, 200, 200, 429]);
    const path = `/auth/api-keys/${market.keyId}/rotate`;
    const { json } = await world.send('POST', path, { key: world.masterKey, body: {} });
    expect(json.data.data.requestsPerMinute).toBe(3);
    expect(await limits(json.data.data.key)).toEqual([200, 200, 200, 429]);
  });

  it.each([0, 1.5, 100_001])('refuses %s requests per minute', async (requestsPerMinute) => {
    const body = { name: 'a key', scopes: ['read'], requestsPerMinute };
    const { status } = await world.send('POST', '/auth/api-keys', { key: world.masterKey, body });
    expect(status).toBe(400);
  });

  // A new wrong key each time must not create a new bucket each time.
  it('counts wrong keys by address', async () => {
    const responses = [];
    for (let times = 0; times < 12; times += 1)
      responses.push(await world.send('GET', '/auth/me', { key: `hf_wrong_${times}` }));
    expect(responses.at(-1)?.status).toBe(429);
  });
});
