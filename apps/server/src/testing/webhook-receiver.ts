//! A server that webhooks are sent to, which answers as its test says; and endpoints for it.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WebhookEndpointId } from '@holdfast/kernel/ids';
import { isMessageSigned } from '../inbox/message-signature.ts';
import { deliverEvents } from '../webhooks/deliver-events.ts';
import type { LaneId } from '../webhooks/lane.ts';
import type { LaneAnswer } from '../webhooks/lane-turn.ts';
import type { Market, World } from './world.ts';

/** Loopback, which development allows; nobody listens there. */
export const HOOK_URL = 'http://127.0.0.1:9/hook';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly url: string;
}

export type Answering = (response: ServerResponse, received: Received) => void | Promise<void>;

export interface WebhookReceiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** Connections so far. */
  readonly connections: number;
  /** From here on; usually 200 with nothing in it. */
  answer(answering: Answering): void;
  close(): Promise<void>;
}

export async function openReceiver(): Promise<WebhookReceiver> {
  const received: Received[] = [];
  let answering: Answering = (response) => void response.end();
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
      void answering(response, each);
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
    answer: (next) => {
      answering = next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export interface MadeEndpoint {
  readonly id: WebhookEndpointId;
  readonly secret: string;
}

export async function makeEndpoint(market: Market, body: object): Promise<MadeEndpoint> {
  const { status, text, json } = await market.send('POST', '/webhook-endpoints', { body });
  if (status !== 201) throw new Error(text);
  return json.data.data as MadeEndpoint;
}

export async function anEndpoint(market: Market, isPaused = false): Promise<WebhookEndpointId> {
  const { id } = await makeEndpoint(market, { url: HOOK_URL });
  if (isPaused) await market.send('POST', `/webhook-endpoints/${id}/pause`, { body: {} });
  return id;
}

/** As a receiver finds out that knows this secret and no other. */
export function isSignedWith(secret: string, { headers, text }: Received): boolean {
  const message = {
    id: String(headers['webhook-id']),
    timestamp: String(headers['webhook-timestamp']),
    signature: String(headers['webhook-signature']),
    text,
  };
  return isMessageSigned([secret], message, Date.now());
}

const never = new AbortController().signal;

/** A turn at a lane, as Restate would ask for it. */
export async function drive(
  world: World,
  market: Market,
  laneId: LaneId,
  stopping: AbortSignal = never,
): Promise<LaneAnswer> {
  const [row] = await world.rows<{ epoch: number }>(
    'select epoch from webhook_lane where id = $1',
    [laneId],
  );
  const { marketplace } = market.call.actor;
  const request = { marketplace, laneId, epoch: row?.epoch ?? 0 };
  return deliverEvents(world.app, request, { stopping, breaking: never });
}
