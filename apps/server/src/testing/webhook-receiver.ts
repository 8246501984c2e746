//! A server that receives webhooks and responds as its test says; and endpoints for it.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WebhookEndpointId } from '@holdfast/kernel/ids';
import { isPaymentSigned } from '../webhooks/incoming/payment-signature.ts';
import { deliverEvents } from '../webhooks/outgoing/deliver-events.ts';
import type { LaneId } from '../webhooks/outgoing/lane.ts';
import type { LaneResult } from '../webhooks/outgoing/lane-run.ts';
import type { Market, World } from './world.ts';

/** Loopback, which development allows; no server listens there. */
export const HOOK_URL = 'http://127.0.0.1:9/hook';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly url: string;
}

export type Responder = (response: ServerResponse, received: Received) => void | Promise<void>;

export interface WebhookReceiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** Connections so far. */
  readonly connections: number;
  /** From here on; the default is 200 with an empty body. */
  respondWith(responder: Responder): void;
  close(): Promise<void>;
}

export async function openReceiver(): Promise<WebhookReceiver> {
  const received: Received[] = [];
  let responder: Responder = (response) => void response.end();
  let connections = 0;
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (piece: string) => {
      text += piece;
    });
    request.on('error', () => undefined);
    request.on('end', () => {
      const each = { headers: request.headers, text, url: request.url ?? '' };
      received.push(each);
      void responder(response, each);
    });
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    get connections() {
      return connections;
    },
    respondWith: (next) => {
      responder = next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export interface CreatedEndpoint {
  readonly id: WebhookEndpointId;
  readonly secret: string;
}

export async function createEndpoint(market: Market, body: object): Promise<CreatedEndpoint> {
  const { status, text, json } = await market.send('POST', '/webhook-endpoints', { body });
  if (status !== 201) throw new Error(text);
  return json.data.data as CreatedEndpoint;
}

export async function anEndpoint(market: Market, isPaused = false): Promise<WebhookEndpointId> {
  const { id } = await createEndpoint(market, { url: HOOK_URL });
  if (isPaused) await market.send('POST', `/webhook-endpoints/${id}/pause`, { body: {} });
  return id;
}

/** Verifies the signature as a receiver does that has only this secret. */
export function isSignedWith(secret: string, { headers, text }: Received): boolean {
  const message = {
    id: String(headers['webhook-id']),
    timestamp: String(headers['webhook-timestamp']),
    signature: String(headers['webhook-signature']),
    text,
  };
  return isPaymentSigned([secret], message, Date.now());
}

const never = new AbortController().signal;

/** One run of a lane, as Restate would request it. */
export async function runLane(
  world: World,
  market: Market,
  laneId: LaneId,
  stopping: AbortSignal = never,
): Promise<LaneResult> {
  const [row] = await world.rows<{ epoch: number }>(
    'select epoch from webhook_lane where id = $1',
    [laneId],
  );
  const { marketplace } = market.call.actor;
  const request = { marketplace, laneId, epoch: row?.epoch ?? 0 };
  return deliverEvents(world.worker, request, { stopping, breaking: never });
}
