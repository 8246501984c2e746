//! A handler as a developer would have one: it verifies, is slow at times, and fails at times.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { verifyWebhook } from '../../packages/sdk/src/webhooks.ts';
import { chanceOf } from '../chaos-events/chance.ts';

export interface Handler {
  readonly url: string;
  /** Ids of events in the order in which they came for the first time. */
  readonly first: string[];
  /** Deliveries that were answered 2xx, repeats among them. */
  readonly taken: Map<string, number>;
  readonly refused: { failed: number; unsigned: number };
  stop(): void;
}

const FAIL_PERCENT = 5;
const SLOW_MS_MAX = 12;

export async function startHandler(secret: string, seed: number): Promise<Handler> {
  const chance = chanceOf(seed, 1);
  const first: string[] = [];
  const taken = new Map<string, number>();
  const refused = { failed: 0, unsigned: 0 };
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    const answer = async () => {
      try {
        const { eventId } = await verifyWebhook(Buffer.concat(pieces), request.headers, secret);
        await sleep(chance.below(SLOW_MS_MAX));
        if (!first.includes(eventId)) first.push(eventId);
        if (chance.below(100) < FAIL_PERCENT) {
          refused.failed += 1;
          response.writeHead(500).end();
          return;
        }
        taken.set(eventId, (taken.get(eventId) ?? 0) + 1);
        response.writeHead(204).end();
      } catch {
        refused.unsigned += 1;
        response.writeHead(401).end();
      }
    };
    request.on('end', () => void answer());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    first,
    taken,
    refused,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
