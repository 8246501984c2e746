//! A developer's webhook handler: it verifies signatures, and is sometimes slow or fails.
import { setTimeout as sleep } from 'node:timers/promises';
import { verifyWebhook } from '../../../packages/sdk/src/webhooks.ts';
import { randomOf } from '../../harness/random.ts';
import { type Served, serve } from '../../harness/serve.ts';

export interface Handler extends Served {
  /** Event ids in the order of their first arrival. */
  readonly first: string[];
  /** Deliveries that got a 2xx response, repeats included. */
  readonly taken: Map<string, number>;
  readonly refused: { failed: number; unsigned: number };
}

const FAIL_PERCENT = 5;
const SLOW_MS_MAX = 12;

export async function startHandler(secret: string, seed: number): Promise<Handler> {
  const random = randomOf(seed, 1);
  const first: string[] = [];
  const taken = new Map<string, number>();
  const refused = { failed: 0, unsigned: 0 };
  const served = await serve(async (request, body, response) => {
    try {
      const { eventId } = await verifyWebhook(body, request.headers, secret);
      await sleep(random.below(SLOW_MS_MAX));
      if (!first.includes(eventId)) first.push(eventId);
      if (random.percent(FAIL_PERCENT)) {
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
