import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWatch } from '../../../cli/src/testing/machine-time.ts';
import { connectionSettings } from '../platform/database.ts';
import { eventually, until } from '../testing/until.ts';
import { openWorld, type World } from '../testing/world.ts';
import { type Listener, notifyListener, notifyRinger, redisListener, redisRinger } from './bell.ts';

const REDIS_URL = process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379';
const CELL = `t${process.pid}`.slice(0, 8);
const SOON_MS = 10_000;

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** What a listener has heard so far. */
function ear() {
  const heard: [string, number][] = [];
  return {
    heard,
    onRing: (market: string, position: number) => void heard.push([market, position]),
  };
}

/** Rings until it is heard: a listener says nothing when it begins to listen. */
async function ringUntilHeard(ring: () => Promise<unknown>, heard: readonly unknown[]) {
  await until(async () => {
    await ring();
    await sleep(20);
    return heard.length > 0;
  }, SOON_MS);
}

describe('a bell in PostgreSQL', () => {
  const settings = () => connectionSettings(world.app.config);
  const notify = (text: string) =>
    world.rows('select pg_notify($1, $2)', ['holdfast_events', text]);

  async function withListener(
    work: (ears: ReturnType<typeof ear>, listener: Listener) => Promise<void>,
    connection = settings(),
  ): Promise<void> {
    const ears = ear();
    const listener = notifyListener(connection, world.app.log, ears.onRing);
    try {
      await work(ears, listener);
    } finally {
      await listener.close();
    }
  }

  it('tells every log that grew, also more of them than one notification carries', async () => {
    await withListener(async ({ heard }) => {
      await ringUntilHeard(() => notify('0:1'), heard);
      heard.length = 0;
      const client = new pg.Client(
        connectionSettings(world.app.config, { role: 'holdfast_sequencer' }),
      );
      await client.connect();
      const notices = Array.from({ length: 450 }, (_, index) => ({
        marketplace: `10000000000000${index}`,
        position: 900_000_000_000_000 + index,
      }));
      await notifyRinger().ring(client, notices);
      await client.end();
      await eventually(SOON_MS, () => expect(heard.length).toBe(450));
      expect(heard).toEqual(notices.map(({ marketplace, position }) => [marketplace, position]));
    });
  });

  it('is not put off by nonsense', async () => {
    await withListener(async ({ heard }) => {
      await ringUntilHeard(() => notify('0:1'), heard);
      heard.length = 0;
      for (const text of [
        '',
        'x',
        '1',
        '1:',
        ':1',
        '1:-1',
        '1:1.5',
        "1:1'; drop",
        '{"a":1}',
        ',,',
        '1:9999999999999999',
        '7:8,?,9:10',
      ])
        await notify(text);
      await eventually(SOON_MS, () => expect(heard.length).toBe(2));
      expect(heard).toEqual([
        ['7', 8],
        ['9', 10],
      ]);
    });
  });

  it('is heard again after its connection was lost', async () => {
    await withListener(async ({ heard }) => {
      await ringUntilHeard(() => notify('0:1'), heard);
      const ended = await world.rows(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = 'holdfast bell' and datname = current_database()`,
      );
      expect(ended).toHaveLength(1);
      await sleep(50);
      heard.length = 0;
      await ringUntilHeard(() => notify('0:2'), heard);
    });
  });

  it('survives a server that goes away in the middle of anything', async () => {
    const door = await openDoor(world.databaseUrl, ['user', 'listen']);
    await withListener(
      async ({ heard }) => {
        await ringUntilHeard(() => notify('0:3'), heard);
        expect(door.cuts()).toBe(2);
      },
      { ...settings(), connectionString: door.url },
    );
    await door.close();
  });

  it('can be closed at any moment', async () => {
    for (const ms of [0, 1, 3, 10]) {
      const listener = notifyListener(settings(), world.app.log, () => undefined);
      if (ms > 0) await sleep(ms);
      const closed = listener.close().then(() => 'closed');
      expect(await Promise.race([closed, sleep(2000, `still open after ${ms} ms`)])).toBe('closed');
    }
  });
});

/** A way of our own to a server: what goes over it can be cut, and nothing else. */
async function openDoor(to: string, cutAt: readonly string[] = []) {
  const url = new URL(to);
  const far = { host: url.hostname, port: Number(url.port || 5432) };
  const open = new Set<Socket>();
  let cuts = 0;
  const server = createServer((near) => {
    // The first connection is cut at the first word, and so on.
    const word = cutAt[cuts];
    const onward = connect(far);
    for (const socket of [near, onward]) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        near.destroy();
        onward.destroy();
      });
    }
    onward.on('data', (piece) => near.write(piece));
    near.on('data', (piece) => {
      if (word === undefined || !piece.includes(word)) return void onward.write(piece);
      cuts += 1;
      near.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const cutAll = () => open.forEach((socket) => void socket.destroy());
  return {
    url: url.href,
    cuts: () => cuts,
    cutAll,
    close: async () => {
      cutAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe('a bell in Redis', () => {
  const channel = `holdfast_events:${CELL}`;
  let redis: Redis;
  beforeAll(() => {
    redis = new Redis(REDIS_URL);
  });
  afterAll(() => redis.disconnect());

  async function withBell(
    work: (ears: ReturnType<typeof ear>) => Promise<void>,
    url = REDIS_URL,
  ): Promise<void> {
    const ears = ear();
    const listener = redisListener(url, CELL, world.app.log, ears.onRing);
    try {
      await work(ears);
    } finally {
      await listener.close();
    }
  }

  it('tells every log that grew, to its own cell only', async () => {
    const other = ear();
    const elsewhere = redisListener(REDIS_URL, 'other', world.app.log, other.onRing);
    const ringer = redisRinger(REDIS_URL, CELL, world.app.log);
    const client = new pg.Client();
    await withBell(async ({ heard }) => {
      const notices = [
        { marketplace: '7', position: 8 },
        { marketplace: '9', position: 10 },
      ];
      await ringUntilHeard(() => ringer.ring(client, notices), heard);
      expect(heard.slice(0, 2)).toEqual([
        ['7', 8],
        ['9', 10],
      ]);
      await sleep(50);
      expect(other.heard).toEqual([]);
    });
    await ringer.close();
    await elsewhere.close();
  });

  it('is not put off by nonsense', async () => {
    await withBell(async ({ heard }) => {
      await ringUntilHeard(() => redis.publish(channel, '0:1'), heard);
      heard.length = 0;
      for (const text of ['', 'x', '1:', ':1', '1:-1', '\0', '7:8,?,9:10']) {
        await redis.publish(channel, text);
      }
      await eventually(SOON_MS, () => expect(heard.length).toBe(2));
      expect(heard).toEqual([
        ['7', 8],
        ['9', 10],
      ]);
    });
  });

  it('is heard again after its connection was lost', async () => {
    const door = await openDoor(REDIS_URL);
    await withBell(async ({ heard }) => {
      await ringUntilHeard(() => redis.publish(channel, '0:1'), heard);
      door.cutAll();
      await eventually(SOON_MS, async () =>
        expect((await redis.pubsub('NUMSUB', channel))[1]).toBe(0),
      );
      heard.length = 0;
      await ringUntilHeard(() => redis.publish(channel, '0:2'), heard);
    }, door.url);
    await door.close();
  });

  it('that is away holds up nobody who rings', async () => {
    const ringer = redisRinger('redis://127.0.0.1:1', CELL, world.app.log);
    const ran = await startWatch();
    for (let count = 0; count < 100; count += 1)
      await ringer.ring(new pg.Client(), [{ marketplace: '1', position: count }]);
    expect(ran()).toBeLessThan(500);
    await ringer.close();
  });
});
