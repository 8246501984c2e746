//! A small HTTP server that answers as a test tells it, and remembers what it was asked.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Answerer = (seen: Seen, response: ServerResponse) => void;

export interface StandIn {
  readonly url: string;
  readonly seen: readonly Seen[];
  stop(): Promise<void>;
}

/** The answers are given in turn; the last one again and again. */
export async function startStandIn(...answers: readonly Answerer[]): Promise<StandIn> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, url, headers, body: Buffer.concat(pieces).toString() };
      const answer = answers[Math.min(seen.length, answers.length - 1)];
      seen.push(one);
      answer?.(one, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

const META = { requestId: 'req-1', timestamp: '2026-03-01T12:00:00.000Z' };

/** A success of Surface A. */
export function data(
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
  status = 200,
): Answerer {
  return (_, response) =>
    json(response, status, { data: { success: true, data: value }, meta: META }, headers);
}

/** A page of a list of Surface A. */
export function page(items: readonly unknown[], nextCursor: string | null = null): Answerer {
  const hasMore = nextCursor !== null;
  return (_, response) =>
    json(response, 200, { data: { success: true, data: items, hasMore, nextCursor }, meta: META });
}

/** A refusal of Surface A. */
export function refusal(
  status: number,
  code: string,
  details?: object,
  headers: Readonly<Record<string, string>> = {},
): Answerer {
  return (_, response) =>
    json(response, status, { error: { code, message: `${code}!`, details } }, headers);
}

/** The request is taken, and the connection is cut without an answer. */
export const cut: Answerer = (_, response) => void response.socket?.destroy();

/** No answer ever comes. */
export const silence: Answerer = () => undefined;

export function text(status: number, body: string): Answerer {
  return (_, response) => void response.writeHead(status, { 'x-request-id': 'req-9' }).end(body);
}

function json(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  response
    .writeHead(status, {
      'content-type': 'application/json',
      'x-request-id': 'req-1',
      ...headers,
    })
    .end(JSON.stringify(body));
}
