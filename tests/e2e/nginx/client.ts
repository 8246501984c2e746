//! Clients of the api through nginx: single calls, and stream readers that reconnect.
import http from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Message, messageReader } from '../../proofs/chaos-events/sse.ts';
import { type Nginx, SERVER_NAME } from './nginx.ts';

/** Calls go through nginx, or directly to the api. */
export type NginxTarget = Pick<Nginx, 'port' | 'certificate'> | { readonly url: string };

export interface Sending {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  /** The loopback address of the client. */
  readonly from?: string;
}

export function send(
  target: NginxTarget,
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
    'url' in target
      ? http.request(`${target.url}${url}`, options)
      : https.request({
          ...options,
          host: '127.0.0.1',
          port: target.port,
          path: url,
          servername: SERVER_NAME,
          ca: target.certificate,
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
