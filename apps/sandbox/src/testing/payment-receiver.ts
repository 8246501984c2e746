//! Receives payment webhooks as the platform would, and checks signatures with its own code.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from './payment-sandbox.ts';

export interface PaymentWebhook {
  readonly headers: IncomingHttpHeaders;
  readonly raw: string;
  readonly json: Json;
}

export interface PaymentReceiver {
  readonly url: string;
  readonly received: PaymentWebhook[];
  /** The types in the order in which they came. */
  readonly types: () => string[];
  /** The status of its responses from now on. */
  status: number;
  readonly stop: () => Promise<void>;
}

export async function openPaymentReceiver(): Promise<PaymentReceiver> {
  const received: PaymentWebhook[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks).toString('utf8');
      received.push({ headers: request.headers, raw, json: JSON.parse(raw) as Json });
      response.writeHead(receiver.status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: PaymentReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/payment-provider`,
    received,
    types: () => received.map(({ json }) => json.eventType ?? json.type),
    status: 200,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}

/** By WebCrypto, over the raw body; any of the listed signatures will do. */
export async function isSigned({ headers, raw }: PaymentWebhook, secret: string): Promise<boolean> {
  const { 'svix-id': id, 'svix-timestamp': at, 'svix-signature': list } = headers;
  const kind = { name: 'HMAC', hash: 'SHA-256' };
  const bytes = fromBase64(secret.slice('whsec_'.length));
  const key = await crypto.subtle.importKey('raw', bytes, kind, false, ['verify']);
  const text = new TextEncoder().encode(`${String(id)}.${String(at)}.${raw}`);
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
