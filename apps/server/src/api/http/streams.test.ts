import { Agent, request } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { manualClock } from '@holdfast/kernel/clock';
import pg from 'pg';
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startWatch } from '../../../../cli/src/testing/machine-time.ts';
import { issueToken } from '../../access/keys/issue-token.ts';
import { revokeApiKey } from '../../access/keys/revoke-api-key.ts';
import { desk } from '../../testing/operators.ts';
import {
  listen,
  openSse,
  publishSequenced,
  type SseOptions,
  type SseReader,
} from '../../testing/sse.ts';
import { eventually } from '../../testing/until.ts';
import { useWorld } from '../../testing/use-world.ts';
import { openWorld, type World, type WorldOptions } from '../../testing/world.ts';

/** Enough, on a busy machine, for checks that run every half or whole second. */
const SOON_MS = 10_000;

/** A separate world for tests that close the server or move the clock. */
async function withWorld(
  options: WorldOptions,
  work: (world: World, base: string) => Promise<void>,
): Promise<void> {
  const world = await openWorld(options);
  try {
    await work(world, await listen(world));
  } finally {
    world.http.server.closeAllConnections();
    await world.close();
  }
}

/** Locks the heads until released: simulates a slow database. */
async function holdHeads({ databaseUrl }: World): Promise<() => Promise<void>> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await client.query('begin; lock table event_head in access exclusive mode');
  return () => client.end();
}

describe('the stream limits', () => {
  const world = useWorld({ env: { HOLDFAST_STREAMS_MAX: '12' } });
  let base: string;
  beforeAll(async () => {
    base = await listen(world);
  });

  const opened: SseReader[] = [];
  const open = async (options: SseOptions) => {
    const reader = await openSse(base, options);
    opened.push(reader);
    return reader;
  };
  afterEach(async () => {
    for (const reader of opened.splice(0)) reader.close();
    await eventually(SOON_MS, () => expect(world.app.streams.count).toBe(0));
  });

  it('allow ten streams for a key, refuse an eleventh, and reuse a freed slot', async () => {
    const market = await world.market();
    const readers = await Promise.all(Array.from({ length: 10 }, () => open({ key: market.key })));
    expect(readers.map(({ status }) => status)).toEqual(readers.map(() => 200));
    const refused = await open({ key: market.key });
    expect([refused.status, JSON.parse(refused.text).error.code]).toEqual([429, 'RATE_LIMITED']);
    expect(refused.headers).toMatchObject({ 'retry-after': '1' });
    readers.shift()?.close();
    await eventually(SOON_MS, () => expect(world.app.streams.count).toBe(9));
    readers.push(await open({ key: market.key }));
    expect(readers.at(-1)?.status).toBe(200);
  });

  it("end an operator's stream with the membership, or the session, and not before", async () => {
    const [market, other] = [await world.market(), await world.market()];
    const who = await desk(world, { role: 'viewer', marketplaceId: market.id });
    const both = [market, other].map(({ id }) => ({ marketplaceId: id, role: 'viewer' }));
    const set = (memberships: object[]) =>
      world.send('PUT', `/operators/${who.id}/memberships`, {
        key: world.masterKey,
        body: { memberships },
      });
    await set(both);
    const { host: _, origin: __, ...headers } = who.headers;
    const [first, second] = await Promise.all(
      [market, other].map(({ id }) =>
        open({ headers: { ...headers, 'x-holdfast-marketplace': id } }),
      ),
    );
    expect([first?.status, second?.status]).toEqual([200, 200]);
    await set(both.slice(1));
    await eventually(15_000, () => expect(first?.isOver).toBe(true));
    expect(second?.isOver).toBe(false);
    await who.send('POST', '/operators/sign-out');
    await eventually(15_000, () => expect(second?.isOver).toBe(true));
  });

  it('do not count a request that was refused', async () => {
    const market = await world.market();
    for (let round = 0; round < 12; round += 1) {
      const refused = await open({ key: market.key, query: '?since=nonsense' });
      expect(refused.status).toBe(400);
      const unknown = await open({
        key: market.key,
        headers: { 'last-event-id': 'evt_00000000000000000000000000' },
      });
      expect(unknown.status).toBe(200);
      unknown.close();
    }
    await eventually(SOON_MS, () => expect(world.app.streams.count).toBe(0));
  });

  it('allow a fixed number for the whole process; then it returns 503', async () => {
    const markets = [await world.market(), await world.market()];
    await Promise.all(Array.from({ length: 12 }, (_, at) => open({ key: markets[at % 2]?.key })));
    const refused = await open({ key: markets[0]?.key });
    expect([refused.status, JSON.parse(refused.text).error.code]).toEqual([
      503,
      'SERVICE_UNAVAILABLE',
    ]);
    expect(refused.headers).toMatchObject({ 'retry-after': '1' });
  });

  it('end the streams of a revoked key within two seconds', async () => {
    const [market, other] = [await world.market(), await world.market()];
    const readers = [await open({ key: market.key }), await open({ key: other.key })];
    const master = { ...market.call, actor: { kind: 'master', id: 'master' } as const };
    await revokeApiKey(world.app, master, market.keyId);
    await eventually(2000, () => expect(readers[0]?.isOver).toBe(true));
    expect(readers[0]?.text).toMatch(/^retry: \d+\n\n$/);
    expect(readers[1]?.isOver).toBe(false);
  });
});

it('frees the slot of a reader that left while its stream was being opened', async () => {
  await withWorld({}, async (world, base) => {
    const market = await world.market();
    const letGo = await holdHeads(world);
    const sent = request(`${base}/events`, {
      agent: false,
      headers: { authorization: `Bearer ${market.key}` },
    });
    sent.on('error', () => undefined);
    sent.end();
    await eventually(SOON_MS, () => expect(world.app.streams.count).toBe(1));
    sent.destroy();
    await sleep(100);
    await letGo();
    await eventually(2000, () => expect(world.app.streams.count).toBe(0));
  });
});

it('ends a stream with the token that opened it', async () => {
  const clock = manualClock(Date.now());
  await withWorld({ clock }, async (world, base) => {
    const market = await world.market();
    const { token } = await issueToken(world.app, market.call, market.keyId, { ttlSeconds: 60 });
    const [short, long] = [
      await openSse(base, { key: token }),
      await openSse(base, { key: market.key }),
    ];
    expect(short.status).toBe(200);
    await sleep(1200);
    expect(short.isOver).toBe(false);
    clock.advance(61_000);
    await eventually(2000, () => expect(short.isOver).toBe(true));
    expect(long.isOver).toBe(false);
  });
});

describe('shutting down', () => {
  it('closes every stream with a retry time', async () => {
    await withWorld({}, async (world, base) => {
      const market = await world.market();
      const agent = new Agent({ keepAlive: true });
      const readers = [
        await openSse(base, { key: market.key, agent }),
        await openSse(base, { key: market.key }),
      ];
      const ran = await startWatch();
      await world.http.close();
      expect(ran()).toBeLessThan(1000);
      for (const reader of readers) {
        await eventually(SOON_MS, () => expect(reader.text).toMatch(/^retry: \d{3,4}\n\n$/));
        await eventually(SOON_MS, () => expect(reader.isOver).toBe(true));
      }
      agent.destroy();
    });
  });

  it('also ends a stream that is being opened', async () => {
    await withWorld({}, async (world, base) => {
      const market = await world.market();
      const letGo = await holdHeads(world);
      const opening = openSse(base, { key: market.key });
      await eventually(SOON_MS, () => expect(world.app.streams.count).toBe(1));
      const closing = world.http.close();
      await sleep(100);
      await letGo();
      const reader = await opening;
      await eventually(2000, () => expect(reader.isOver).toBe(true));
      await closing;
    });
  });
});

describe('writing to a connection', () => {
  it('cuts a reader that takes nothing, and buffers only a little until then', async () => {
    await withWorld({ env: { HOLDFAST_STREAM_STALL_MS: '1000' } }, async (world, base) => {
      const sockets: Socket[] = [];
      world.http.server.on('connection', (socket: Socket) => void sockets.push(socket));
      const market = await world.market();
      const reader = await openSse(base, { key: market.key });
      reader.pause();
      let most = 0;
      const isCut = () => sockets[0]?.destroyed === true;
      const watching = setInterval(() => {
        most = Math.max(most, sockets[0]?.writableLength ?? 0);
      }, 5);
      onTestFinished(() => clearInterval(watching));
      for (let last = 0; last < 60_000 && !isCut(); last += 5000) {
        await publishSequenced(world, market, 5000, last + 1);
        await sleep(50);
      }
      await eventually(4000, () => expect(isCut()).toBe(true));
      expect(most).toBeGreaterThan(0);
      expect(most).toBeLessThan(1_500_000);
      await eventually(SOON_MS, () => expect(world.app.streams.count).toBe(0));
    });
  });

  it('leaves no listeners behind after each time it was full and drained', async () => {
    await withWorld({}, async (world, base) => {
      const warnings: Error[] = [];
      const onWarning = (warning: Error) => void warnings.push(warning);
      process.on('warning', onWarning);
      const market = await world.market();
      await publishSequenced(world, market, 10_000);
      const reader = await openSse(base, {
        key: market.key,
        query: `?since=${new Date(Date.now() - 3_600_000).toISOString()}`,
      });
      await eventually(8000, () => expect(reader.messages.length).toBe(10_000));
      process.off('warning', onWarning);
      expect(warnings.map(({ message }) => message)).toEqual([]);
    });
  });

  it('sends a ping every thirty seconds', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      await withWorld({}, async (world, base) => {
        const market = await world.market();
        const reader = await openSse(base, { key: market.key });
        vi.advanceTimersByTime(29_999);
        await sleep(30);
        expect(reader.text).toBe('');
        vi.advanceTimersByTime(1);
        const ping = String.raw`event: ping\ndata: {"ping":true,"timestamp":"[\d:.TZ-]{24}"}\n\n`;
        vi.useRealTimers();
        await eventually(SOON_MS, () => expect(reader.text).toMatch(new RegExp(`^${ping}$`)));
      });
    } finally {
      vi.useRealTimers();
    }
  });
});
