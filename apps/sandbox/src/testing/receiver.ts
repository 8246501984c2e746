//! Receives webhooks as the platform would: records them, responds with the set statuses, and
//! checks signatures with its own code.
import type { IncomingHttpHeaders, Server } from 'node:http';
import { Router } from '../router.ts';
import { type Json, until } from './payment-sandbox.ts';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly json: Json;
}

export interface Receiver {
  readonly url: string;
  readonly server: Server;
  readonly received: readonly Received[];
  /** The statuses of the next responses; then `status`. */
  readonly statuses: number[];
  status: number;
  /** The types in the order in which they came. */
  types(): string[];
  /** Resolves once that many have come. */
  wait(count: number): Promise<unknown>;
  stop(): Promise<void>;
}

export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const router = new Router();
  router.on('POST', '/hook', ({ request: { headers }, response, body }) => {
    received.push({ headers, body, json: jsonOf(body) });
    const status = receiver.statuses.shift() ?? receiver.status;
    response.writeHead(status, { location: '/elsewhere' }).end('{}');
  });
  const { server, url } = await router.listen(0);
  const receiver: Receiver = {
    url: `${url}/hook`,
    server,
    received,
    statuses: [],
    status: 200,
    types: () => received.map(({ json }) => json.eventType ?? json.type),
    wait: (count) => until(() => received.length >= count, `${count} webhooks`),
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}

/** Empty where a test sends another text. */
function jsonOf(body: string): Json {
  return (body.startsWith('{') ? JSON.parse(body) : {}) as Json;
}

/** By WebCrypto, over the raw body; any of the listed signatures will do. */
export async function isSigned({ headers, body }: Received, secret: string): Promise<boolean> {
  const { 'svix-id': id, 'svix-timestamp': at, 'svix-signature': list } = headers;
  const kind = { name: 'HMAC', hash: 'SHA-256' };
  const bytes = fromBase64(secret.slice('whsec_'.length));
  const key = await crypto.subtle.importKey('raw', bytes, kind, false, ['verify']);
  const text = new TextEncoder().encode(`${String(id)}.${String(at)}.${body}`);
  for (const signature of String(list).split(' ')) {
    const [version, mac = ''] = signature.split(',');
    if (version !== 'v1') continue;
    if (await crypto.subtle.verify('HMAC', key, fromBase64(mac), text)) return true;
  }
  return false;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
}
