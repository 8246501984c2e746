//! Callers on the far side of nginx: single calls, and followers of the stream that reconnect.
import http from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Message, messageReader } from '../chaos-events/sse.ts';
import { type Nginx, SERVER_NAME } from './nginx.ts';

/** Where calls go: through nginx, or past it. */
export type Door = Pick<Nginx, 'port' | 'certificate'> | { readonly url: string };

export interface Sending {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  /** The loopback address that it comes from. */
  readonly from?: string;
}

export function send(
  door: Door,
  path: string,
  sending: Sending = {},
): Promise<http.IncomingMessage> {
  const { method = 'GET', headers = {}, body, from } = sending;
  const text = body === undefined ? undefined : JSON.stringify(body);
  const options = {
    method,
    agent: false,
    headers: {
      ...headers,
      ...(text === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    },
    ...(from === undefined ? {} : { localAddress: from }),
  } as const;
  const url = `/api/v1${path}`;
  const request =
    'url' in door
      ? http.request(`${door.url}${url}`, options)
      : https.request({
          ...options,
          host: '127.0.0.1',
          port: door.port,
          path: url,
          servername: SERVER_NAME,
          ca: door.certificate,
        });
  request.end(text);
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    request.once('error', reject);
  });
}

export async function bodyOf(response: http.IncomingMessage): Promise<unknown> {
  const pieces = (await response.toArray()) as Buffer[];
  return JSON.parse(Buffer.concat(pieces).toString()) as unknown;
}

export interface Heard extends Message {
  readonly atMs: number;
}

/** One connection to the stream. */
export interface Listening {
  readonly response: http.IncomingMessage;
  readonly heard: Heard[];
  readonly isOpen: boolean;
  readonly ended: Promise<void>;
  readonly leave: () => void;
}

export async function listen(
  door: Door,
  headers: Record<string, string>,
  onMessage: (message: Heard) => void = () => undefined,
): Promise<Listening> {
  const response = await send(door, '/events', { headers });
  const reader = messageReader();
  const heard: Heard[] = [];
  let isOpen = response.statusCode === 200;
  response.on('data', (piece: Buffer) => {
    for (const message of reader.read(piece)) {
      const one = { ...message, atMs: performance.now() };
      heard.push(one);
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
    heard,
    ended,
    get isOpen() {
      return isOpen;
    },
    leave: () => void response.destroy(),
  };
}

/** Goes on listening from the last message it heard, whatever ends the connection. */
export interface Follower {
  /** Ids of the messages, in the order in which they came. */
  readonly ids: readonly string[];
  readonly connections: number;
  leave(): Promise<void>;
}

const RECONNECT_MS = 50;

export async function follow(door: Door, key: string, cursor: string): Promise<Follower> {
  const ids: string[] = [];
  let connections = 0;
  let isLeaving = false;
  let current: Listening | undefined;
  const connect = async () => {
    const last = ids.at(-1) ?? cursor;
    const headers = { authorization: `Bearer ${key}`, 'last-event-id': last };
    current = await listen(door, headers, ({ id }) => {
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
