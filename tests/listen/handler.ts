//! A handler as a developer would have one: it verifies, is slow at times, and fails at times.
import { setTimeout as sleep } from 'node:timers/promises';
import { verifyWebhook } from '../../packages/sdk/src/webhooks.ts';
import { chanceOf } from '../harness/chance.ts';
import { type Served, serve } from '../harness/serve.ts';

export interface Handler extends Served {
  /** Ids of events in the order in which they came for the first time. */
  readonly first: string[];
  /** Deliveries that were answered 2xx, repeats among them. */
  readonly taken: Map<string, number>;
  readonly refused: { failed: number; unsigned: number };
}

const FAIL_PERCENT = 5;
const SLOW_MS_MAX = 12;

export async function startHandler(secret: string, seed: number): Promise<Handler> {
  const chance = chanceOf(seed, 1);
  const first: string[] = [];
  const taken = new Map<string, number>();
  const refused = { failed: 0, unsigned: 0 };
  const served = await serve(async (request, body, response) => {
    try {
      const { eventId } = await verifyWebhook(body, request.headers, secret);
      await sleep(chance.below(SLOW_MS_MAX));
      if (!first.includes(eventId)) first.push(eventId);
      if (chance.percent(FAIL_PERCENT)) {
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
  });
  return { url: `${served.url}/webhooks`, first, taken, refused, close: served.close };
}
