//! A proxy between the payment provider and the service. It loses webhooks, or stores them and
//! delivers each several times in any order. Bodies and signatures stay unchanged.
import type { IncomingHttpHeaders } from 'node:http';
import type { Readiness } from '../../../apps/cli/src/local-set.ts';
import { inLanes } from '../../harness/lanes.ts';
import type { SeededRandom } from '../../harness/random.ts';
import { control } from '../../harness/sandbox.ts';
import { serve } from '../../harness/serve.ts';
import { needed } from '../../harness/set.ts';

interface Letter {
  readonly headers: Record<string, string>;
  readonly body: string;
}

export interface PostOffice {
  readonly sent: number;
  readonly delivered: number;
  /** Stores webhooks from now on, and also forwards this percentage at once. */
  start(earlyPercent: number, random: SeededRandom): void;
  /** Delivers each this many times, in any order. */
  deliver(copies: number): Promise<void>;
  close(): Promise<void>;
}

const LANES = 8;

export async function openPostOffice(ready: Readiness): Promise<PostOffice> {
  const { api, sandbox, paymentWebhookSecret: secret } = ready;
  const letters: Letter[] = [];
  let [sent, delivered, earlyPercent] = [0, 0, 0];
  let random: SeededRandom | undefined;
  const forward = async ({ headers, body }: Letter) => {
    const url = `${api}/api/v1/webhooks/payment-provider`;
    const response = await fetch(url, { method: 'POST', headers, body });
    if (response.status !== 200) throw new Error(`a webhook got ${response.status}`);
    await response.arrayBuffer();
    delivered += 1;
  };
  const served = await serve(async (request, body, response) => {
    sent += 1;
    const letter = { headers: forwardedHeaders(request.headers), body: body.toString() };
    if (random !== undefined) {
      letters.push(letter);
      // Forwarded early: the reply with the payment is still on its way to the service.
      if (random.percent(earlyPercent)) await forward(letter).catch(() => undefined);
    }
    response.writeHead(200).end();
  });
  await control(needed(sandbox, 'sandbox'), '/webhooks', 'POST', {
    payment: { url: served.url, secret },
  });
  return {
    get sent() {
      return sent;
    },
    get delivered() {
      return delivered;
    },
    start: (percent, from) => {
      [sent, delivered, earlyPercent, random] = [0, 0, percent, from];
    },
    deliver: async (copies) => {
      if (random === undefined) throw new Error('no webhooks were stored');
      const all = letters.flatMap((letter) => Array<Letter>(copies).fill(letter));
      await inLanes(random.shuffled(all), LANES, forward);
    },
    close: served.close,
  };
}

function forwardedHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const wanted = Object.entries(headers).filter(
    ([name]) => !/^(host|connection|content-length)$/.test(name),
  );
  return Object.fromEntries(wanted.map(([name, value]) => [name, String(value)]));
}
