import { manualClock } from '@holdfast/kernel/clock';
import type { QueryConfig } from 'pg';
import { describe, expect, it } from 'vitest';
import { useWorld } from '../../testing/use-world.ts';
import { Authenticator } from './authenticate.ts';
import { newKeyText, secretHash } from './key-text.ts';

const clock = manualClock(Date.now());
const world = useWorld({ clock });

it('records when a key was last used', async () => {
  const market = await world.market();
  await market.send('GET', '/auth/me');
  await world.app.authenticator.close();
  const [row] = await world.rows('select last_used_at from api_key where id = $1', [market.keyId]);
  expect(row?.['last_used_at']).not.toBeNull();
});

it('refuses a key after its expiry, also one that is cached', async () => {
  const market = await world.market({ expiresAt: new Date(clock.now() + 500).toISOString() });
  expect((await market.send('GET', '/auth/me')).status).toBe(200);
  clock.advance(600);
  expect((await market.send('GET', '/auth/me')).status).toBe(401);
});

it.each(['Bearer', 'Basic YTpi', 'Bearer a b', `Bearer ${'x'.repeat(5000)}`])(
  'identifies no caller from %s',
  async (authorization) => {
    expect((await world.send('GET', '/auth/me', { headers: { authorization } })).status).toBe(401);
  },
);

describe('a flood of forged keys', () => {
  const [KEYS, LOOKUPS_MAX] = [300, 100];
  const isLimited = { code: 'RATE_LIMITED', details: { limit: LOOKUPS_MAX, windowSeconds: 60 } };

  /** A process of its own, which counts what it sends to the database. */
  function openProcess() {
    let [lookups, atOnce, atOnceMost] = [0, 0, 0];
    const pool = {
      query: async (query: QueryConfig) => {
        lookups += 1;
        atOnce += 1;
        atOnceMost = Math.max(atOnceMost, atOnce);
        return world.app.pool.query(query).finally(() => {
          atOnce -= 1;
        });
      },
    } as unknown as typeof world.app.pool;
    const masterKeyHash = secretHash(world.masterKey);
    const authenticator = new Authenticator({ ...world.app, pool, masterKeyHash });
    const identify = async (bearer: string, address: string) =>
      authenticator.identify(bearer, address);
    return { identify, counted: () => ({ lookups, atOnceMost }) };
  }
  const flood = (identify: (bearer: string, address: string) => unknown, address: string) =>
    Promise.allSettled(
      Array.from({ length: KEYS }, () => identify(newKeyText(world.app.cell), address)),
    );

  it('is looked up in small numbers, and then refused', async () => {
    const { identify, counted } = openProcess();
    const results = await flood(identify, 'ip:203.0.113.7');
    expect(counted()).toEqual({ lookups: LOOKUPS_MAX, atOnceMost: 4 });
    const refused = results.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(KEYS - LOOKUPS_MAX);
    expect(refused[0]).toMatchObject({ reason: isLimited });
  });

  it('leaves callers with known keys alone, and others after its minute', async () => {
    const { identify } = openProcess();
    const [known, unknown] = [await world.market(), await world.market()];
    const address = 'ip:203.0.113.8';
    const actorOf = async (key: string, from: string) => (await identify(key, from))?.id;
    expect(await actorOf(known.key, address)).toBe(known.keyId);
    await flood(identify, address);
    clock.advance(5_000);
    expect(await actorOf(known.key, address)).toBe(known.keyId);
    await expect(identify(unknown.key, address)).rejects.toMatchObject(isLimited);
    expect(await actorOf(unknown.key, 'ip:203.0.113.9')).toBe(unknown.keyId);
    expect(await actorOf(unknown.key, address)).toBe(unknown.keyId);
    clock.advance(55_000);
    expect(await actorOf((await world.market()).key, address)).toBeDefined();
  });

  it('gets the time to wait over HTTP', async () => {
    const responses = await Promise.all(
      Array.from({ length: LOOKUPS_MAX + 1 }, () =>
        world.send('GET', '/auth/me', { key: newKeyText(world.app.cell) }),
      ),
    );
    const counts = Map.groupBy(responses, ({ status }) => status);
    expect(counts.get(401)).toHaveLength(LOOKUPS_MAX);
    const [refused] = counts.get(429) ?? [];
    expect(refused?.json.error).toMatchObject(isLimited);
    expect(refused?.headers).toMatchObject({
      'retry-after': '60',
      'x-ratelimit-limit': String(LOOKUPS_MAX),
      'x-ratelimit-remaining': '0',
    });
  });
});
