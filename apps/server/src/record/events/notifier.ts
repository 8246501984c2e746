//! The notifier: signals every api node that logs grew. A notification is a hint, never the record:
//! a node that misses one finds out by polling within half a second.
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type pg from 'pg';
import type { RowNumber } from '../../platform/database/database.ts';
import { DatabaseClient } from '../../platform/database/database-client.ts';
import type { Log } from '../../platform/process/log.ts';
import type { LogNotification } from './sequence-batch.ts';

export interface Notifier {
  /** Called after the commit, with the sequencer's own connection. */
  notify(client: pg.ClientBase, notifications: readonly LogNotification[]): Promise<void>;
  close(): Promise<void>;
}

export interface Listener {
  close(): Promise<void>;
}

type OnNotification = (marketplace: RowNumber, position: number) => void;

const CHANNEL = 'holdfast_events';
/** A notification carries less than 8,000 bytes. */
const NOTIFICATIONS_MAX = 200;
const RELISTEN_MS = 500;

function textOf(notifications: readonly LogNotification[]): string {
  return notifications.map(({ marketplace, position }) => `${marketplace}:${position}`).join();
}

function dispatch(text: string, onNotification: OnNotification): void {
  for (const notification of text.split(',')) {
    const [, marketplace, position] = /^(\d{1,18}):(\d{1,15})$/.exec(notification) ?? [];
    if (marketplace !== undefined && position !== undefined) onNotification(marketplace, +position);
  }
}

/** One channel per cell: cells may share a Redis. */
function redisChannel(cell: string): string {
  return `${CHANNEL}:${cell}`;
}

export function redisNotifier(url: string, cell: string, log: Log): Notifier {
  const redis = openRedis(url, log);
  return {
    notify: async (_, notifications) => {
      // Not awaited: the log is written, and a slow notifier must not delay the next batch.
      redis.publish(redisChannel(cell), textOf(notifications)).catch(() => undefined);
    },
    close: async () => {
      redis.disconnect();
    },
  };
}

export function redisListener(
  url: string,
  cell: string,
  log: Log,
  onNotification: OnNotification,
): Listener {
  const redis = openRedis(url, log);
  redis.on('message', (_channel: string, text: string) => dispatch(text, onNotification));
  redis.on('ready', () => void redis.subscribe(redisChannel(cell)).catch(() => undefined));
  return {
    close: async () => {
      redis.disconnect();
    },
  };
}

function openRedis(url: string, log: Log): Redis {
  const redis = new Redis(url, {
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    autoResubscribe: false,
    retryStrategy: (times) => Math.min(1000, times * 100),
  });
  redis.on('error', (error: Error) => log.warn({ err: error }, 'redis error'));
  return redis;
}

/** Without Redis, PostgreSQL notifies. Only the sequencer notifies, so no business commit waits. */
export function postgresNotifier(): Notifier {
  return {
    notify: async (client, notifications) => {
      for (let at = 0; at < notifications.length; at += NOTIFICATIONS_MAX)
        await client.query('select pg_notify($1, $2)', [
          CHANNEL,
          textOf(notifications.slice(at, at + NOTIFICATIONS_MAX)),
        ]);
    },
    close: async () => undefined,
  };
}

export function postgresListener(
  connection: pg.ClientConfig,
  log: Log,
  onNotification: OnNotification,
): Listener {
  const closing = new AbortController();
  const { signal } = closing;
  const isClosing = new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => resolve()),
  );
  const listenOnce = async () => {
    const client = new DatabaseClient({ ...connection, application_name: 'holdfast notifier' });
    client.on('notification', ({ payload }) => dispatch(payload ?? '', onNotification));
    client.on('error', (error) => log.warn({ err: error }, 'database connection lost'));
    const ended = new Promise<void>((resolve) => client.once('end', () => resolve()));
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      await Promise.race([ended, isClosing]);
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  const listen = async () => {
    while (!signal.aborted) {
      await listenOnce().catch((error: Error) => log.warn({ err: error }, 'notifier disconnected'));
      await sleep(RELISTEN_MS, undefined, { signal }).catch(() => undefined);
    }
  };
  const listening = listen();
  return {
    close: async () => {
      closing.abort();
      await listening;
    },
  };
}
