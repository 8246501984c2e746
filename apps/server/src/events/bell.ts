//! The bell: tells every api node that logs grew. A ring is a hint, never the record: a node that
//! misses one finds out by itself within half a second.
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { RowNumber } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import type { Notice } from './sequence-batch.ts';

export interface Ringer {
  /** Called after the commit, with the sequencer's own connection. */
  ring(client: pg.ClientBase, notices: readonly Notice[]): Promise<void>;
  close(): Promise<void>;
}

export interface Listener {
  close(): Promise<void>;
}

type OnRing = (marketplace: RowNumber, position: number) => void;

const CHANNEL = 'holdfast_events';
/** A notification carries less than 8,000 bytes. */
const NOTICES_MAX = 200;
const RELISTEN_MS = 500;

function textOf(notices: readonly Notice[]): string {
  return notices.map(({ marketplace, position }) => `${marketplace}:${position}`).join();
}

function hear(text: string, onRing: OnRing): void {
  for (const notice of text.split(',')) {
    const [, marketplace, position] = /^(\d{1,18}):(\d{1,15})$/.exec(notice) ?? [];
    if (marketplace !== undefined && position !== undefined) onRing(marketplace, +position);
  }
}

/** One cell rings on one channel: cells may share a Redis. */
function redisChannel(cell: string): string {
  return `${CHANNEL}:${cell}`;
}

export function redisRinger(url: string, cell: string, log: Log): Ringer {
  const redis = openRedis(url, log);
  return {
    ring: async (_, notices) => {
      // Not waited for: the log is written, and a slow bell must not hold up the next batch.
      redis.publish(redisChannel(cell), textOf(notices)).catch(() => undefined);
    },
    close: async () => {
      redis.disconnect();
    },
  };
}

export function redisListener(url: string, cell: string, log: Log, onRing: OnRing): Listener {
  const redis = openRedis(url, log);
  redis.on('message', (_channel: string, text: string) => hear(text, onRing));
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
  redis.on('error', (error: Error) => log.warn({ reason: error.message }, 'miss redis'));
  return redis;
}

/** Without Redis PostgreSQL rings. Only the sequencer notifies, so no business commit waits. */
export function notifyRinger(): Ringer {
  return {
    ring: async (client, notices) => {
      for (let at = 0; at < notices.length; at += NOTICES_MAX)
        await client.query('select pg_notify($1, $2)', [
          CHANNEL,
          textOf(notices.slice(at, at + NOTICES_MAX)),
        ]);
    },
    close: async () => undefined,
  };
}

export function notifyListener(connection: pg.ClientConfig, log: Log, onRing: OnRing): Listener {
  const closing = new AbortController();
  const { signal } = closing;
  const isClosing = new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => resolve()),
  );
  const listenOnce = async () => {
    const client = new pg.Client({ ...connection, application_name: 'holdfast bell' });
    client.on('notification', ({ payload }) => hear(payload ?? '', onRing));
    client.on('error', (error) => log.warn({ reason: error.message }, 'lose connection'));
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
      await listenOnce().catch((error: Error) => log.warn({ reason: error.message }, 'miss bell'));
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
