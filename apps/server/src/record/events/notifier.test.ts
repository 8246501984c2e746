import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWatch } from '../../../../cli/src/testing/machine-time.ts';
import { connectionSettings } from '../../platform/database/database.ts';
import { eventually, until } from '../../testing/until.ts';
import { useWorld } from '../../testing/use-world.ts';
import {
  type Listener,
  postgresListener,
  postgresNotifier,
  redisListener,
  redisNotifier,
} from './notifier.ts';

const REDIS_URL = process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379';
const CELL = `t${process.pid}`.slice(0, 8);
const SOON_MS = 10_000;

const world = useWorld();

/** The notifications that a listener has received so far. */
function newRecorder() {
  const received: [string, number][] = [];
  return {
    received: received,
    onNotification: (market: string, position: number) => void received.push([market, position]),
  };
}

/** Notifies until one arrives: a listener does not report when it starts to listen. */
async function notifyUntilReceived(notify: () => Promise<unknown>, received: readonly unknown[]) {
  await until(async () => {
    await notify();
    await sleep(20);
    return received.length > 0;
  }, SOON_MS);
}

describe('the PostgreSQL notifier', () => {
  const settings = () => connectionSettings(world.app.config);
  const notify = (text: string) =>
    world.rows('select pg_notify($1, $2)', ['holdfast_events', text]);

  async function withListener(
    work: (recorder: ReturnType<typeof newRecorder>, listener: Listener) => Promise<void>,
    connection = settings(),
  ): Promise<void> {
    const recorder = newRecorder();
    const listener = postgresListener(connection, world.app.log, recorder.onNotification);
    try {
      await work(recorder, listener);
    } finally {
      await listener.close();
    }
  }

  it('reports every log that grew, also more of them than one notification carries', async () => {
    await withListener(async ({ received }) => {
      await notifyUntilReceived(() => notify('0:1'), received);
      received.length = 0;
      const client = new pg.Client(
        connectionSettings(world.app.config, { role: 'holdfast_sequencer' }),
      );
      await client.connect();
      const notifications = Array.from({ length: 450 }, (_, index) => ({
        marketplace: `10000000000000${index}`,
        position: 900_000_000_000_000 + index,
      }));
      await postgresNotifier().notify(client, notifications);
      await client.end();
      await eventually(SOON_MS, () => expect(received.length).toBe(450));
      expect(received).toEqual(
        notifications.map(({ marketplace, position }) => [marketplace, position]),
      );
    });
  });

  it('ignores malformed notifications', async () => {
    await withListener(async ({ received }) => {
      await notifyUntilReceived(() => notify('0:1'), received);
      received.length = 0;
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
      await eventually(SOON_MS, () => expect(received.length).toBe(2));
      expect(received).toEqual([
        ['7', 8],
        ['9', 10],
      ]);
    });
  });

  it('works again after its connection was lost', async () => {
    await withListener(async ({ received }) => {
      await notifyUntilReceived(() => notify('0:1'), received);
      const ended = await world.rows(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = 'holdfast notifier' and datname = current_database()`,
      );
      expect(ended).toHaveLength(1);
      await sleep(50);
      received.length = 0;
      await notifyUntilReceived(() => notify('0:2'), received);
    });
  });

  it('survives a server that goes away at any moment', async () => {
    const proxy = await openProxy(world.databaseUrl, ['user', 'listen']);
    await withListener(
      async ({ received }) => {
        await notifyUntilReceived(() => notify('0:3'), received);
        expect(proxy.cuts()).toBe(2);
      },
      { ...settings(), connectionString: proxy.url },
    );
    await proxy.close();
  });

  it('can be closed at any moment', async () => {
    for (const ms of [0, 1, 3, 10]) {
      const listener = postgresListener(settings(), world.app.log, () => undefined);
      if (ms > 0) await sleep(ms);
      const ran = await startWatch();
      await listener.close();
      expect(ran(), `closed after ${ms} ms`).toBeLessThan(2000);
    }
  });
});

/** Our own proxy to a server: it can cut this connection, and no other. */
async function openProxy(to: string, cutAt: readonly string[] = []) {
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

describe('the Redis notifier', () => {
  const channel = `holdfast_events:${CELL}`;
  let redis: Redis;
  beforeAll(() => {
    redis = new Redis(REDIS_URL);
  });
  afterAll(() => redis.disconnect());

  async function withRedisListener(
    work: (recorder: ReturnType<typeof newRecorder>) => Promise<void>,
    url = REDIS_URL,
  ): Promise<void> {
    const recorder = newRecorder();
    const listener = redisListener(url, CELL, world.app.log, recorder.onNotification);
    try {
      await work(recorder);
    } finally {
      await listener.close();
    }
  }

  it('reports every log that grew, to its own cell only', async () => {
    const other = newRecorder();
    const elsewhere = redisListener(REDIS_URL, 'other', world.app.log, other.onNotification);
    const notifier = redisNotifier(REDIS_URL, CELL, world.app.log);
    const client = new pg.Client();
    await withRedisListener(async ({ received }) => {
      const notifications = [
        { marketplace: '7', position: 8 },
        { marketplace: '9', position: 10 },
      ];
      await notifyUntilReceived(() => notifier.notify(client, notifications), received);
      expect(received.slice(0, 2)).toEqual([
        ['7', 8],
        ['9', 10],
      ]);
      await sleep(50);
      expect(other.received).toEqual([]);
    });
    await notifier.close();
    await elsewhere.close();
  });

  it('ignores malformed notifications', async () => {
    await withRedisListener(async ({ received }) => {
      await notifyUntilReceived(() => redis.publish(channel, '0:1'), received);
      received.length = 0;
      for (const text of ['', 'x', '1:', ':1', '1:-1', '\0', '7:8,?,9:10']) {
        await redis.publish(channel, text);
      }
      await eventually(SOON_MS, () => expect(received.length).toBe(2));
      expect(received).toEqual([
        ['7', 8],
        ['9', 10],
      ]);
    });
  });

  it('works again after its connection was lost', async () => {
    const proxy = await openProxy(REDIS_URL);
    await withRedisListener(async ({ received }) => {
      await notifyUntilReceived(() => redis.publish(channel, '0:1'), received);
      proxy.cutAll();
      await eventually(SOON_MS, async () =>
        expect((await redis.pubsub('NUMSUB', channel))[1]).toBe(0),
      );
      received.length = 0;
      await notifyUntilReceived(() => redis.publish(channel, '0:2'), received);
    }, proxy.url);
    await proxy.close();
  });

  it('does not delay the sequencer while Redis is down', async () => {
    const notifier = redisNotifier('redis://127.0.0.1:1', CELL, world.app.log);
    const ran = await startWatch();
    for (let count = 0; count < 100; count += 1)
      await notifier.notify(new pg.Client(), [{ marketplace: '1', position: count }]);
    expect(ran()).toBeLessThan(500);
    await notifier.close();
  });
});
