//! Readers of the event stream through nginx: one connection, or one after the other.
import type http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type NginxTarget, send } from '../../harness/nginx-client.ts';
import { type Message, messageReader } from '../../proofs/chaos-events/sse.ts';

export interface ReceivedMessage extends Message {
  readonly atMs: number;
}

/** One connection to the stream. */
export interface Listening {
  readonly response: http.IncomingMessage;
  readonly received: ReceivedMessage[];
  readonly isOpen: boolean;
  readonly ended: Promise<void>;
  readonly leave: () => void;
}

export async function listen(
  target: NginxTarget,
  headers: Record<string, string>,
  onMessage: (message: ReceivedMessage) => void = () => undefined,
): Promise<Listening> {
  const response = await send(target, '/events', { headers });
  const reader = messageReader();
  const received: ReceivedMessage[] = [];
  let isOpen = response.statusCode === 200;
  response.on('data', (piece: Buffer) => {
    for (const message of reader.read(piece)) {
      const one = { ...message, atMs: performance.now() };
      received.push(one);
      onMessage(one);
    }
  });
  response.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => {
    response.once('close', () => {
      isOpen = false;
      resolve();
    });
  });
  return {
    response,
    received,
    ended,
    get isOpen() {
      return isOpen;
    },
    leave: () => void response.destroy(),
  };
}

/** Reads the stream, and reconnects from the last message after any disconnect. */
export interface StreamReader {
  /** Ids of the messages in the order of arrival. */
  readonly ids: readonly string[];
  readonly connections: number;
  leave(): Promise<void>;
}

const RECONNECT_MS = 50;

export async function openReader(
  target: NginxTarget,
  key: string,
  cursor: string,
): Promise<StreamReader> {
  const ids: string[] = [];
  let connections = 0;
  let isLeaving = false;
  let current: Listening | undefined;
  const connect = async () => {
    const last = ids.at(-1) ?? cursor;
    const headers = { authorization: `Bearer ${key}`, 'last-event-id': last };
    current = await listen(target, headers, ({ id }) => {
      if (id !== undefined) ids.push(id);
    });
    if (current.isOpen) connections += 1;
  };
  await connect();
  const run = async () => {
    while (!isLeaving) {
      await current?.ended;
      await sleep(RECONNECT_MS);
      if (!isLeaving) await connect().catch(() => undefined);
    }
  };
  const running = run();
  return {
    ids,
    get connections() {
      return connections;
    },
    leave: async () => {
      isLeaving = true;
      current?.leave();
      await running;
    },
  };
}
