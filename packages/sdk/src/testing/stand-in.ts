//! A small HTTP server for tests: it gives prepared responses and records the requests.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Responder = (seen: Seen, response: ServerResponse) => void;

export interface StandIn {
  readonly url: string;
  readonly seen: readonly Seen[];
  stop(): Promise<void>;
}

/** The responses are given in turn; the last one again and again. */
export async function startStandIn(...responders: readonly Responder[]): Promise<StandIn> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, url, headers, body: Buffer.concat(pieces).toString() };
      const responder = responders[Math.min(seen.length, responders.length - 1)];
      seen.push(one);
      responder?.(one, response);
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
): Responder {
  return (_, response) =>
    json(response, status, { data: { success: true, data: value }, meta: META }, headers);
}

/** A page of a list of Surface A. */
export function page(items: readonly unknown[], nextCursor: string | null = null): Responder {
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
): Responder {
  return (_, response) =>
    json(response, status, { error: { code, message: `${code}!`, details } }, headers);
}

/** The request is received, and the connection is cut without a response. */
export const cut: Responder = (_, response) => void response.socket?.destroy();

/** No response ever comes. */
export const silence: Responder = () => undefined;

export function text(status: number, body: string): Responder {
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
