//! Stands between the payment provider and the service: loses webhooks, or keeps them and delivers
//! each several times in any order. Bodies and signatures stay as they were.
import type { IncomingHttpHeaders } from 'node:http';
import type { Readiness } from '../../apps/cli/src/local-set.ts';
import type { Chance } from '../harness/chance.ts';
import { inLanes } from '../harness/lanes.ts';
import { control } from '../harness/sandbox.ts';
import { serve } from '../harness/serve.ts';
import { needed } from '../harness/set.ts';

interface Letter {
  readonly headers: Record<string, string>;
  readonly body: string;
}

export interface PostOffice {
  readonly sent: number;
  readonly delivered: number;
  /** From now on letters are kept, and so many in a hundred go on at once besides. */
  begin(earlyPercent: number, chance: Chance): void;
  /** Each so many times, in any order. */
  deliver(copies: number): Promise<void>;
  close(): Promise<void>;
}

const LANES = 8;

export async function openPostOffice(ready: Readiness): Promise<PostOffice> {
  const { api, sandbox, paymentWebhookSecret: secret } = ready;
  const letters: Letter[] = [];
  let [sent, delivered, earlyPercent] = [0, 0, 0];
  let chance: Chance | undefined;
  const forward = async ({ headers, body }: Letter) => {
    const url = `${api}/api/v1/webhooks/payment-provider`;
    const answer = await fetch(url, { method: 'POST', headers, body });
    if (answer.status !== 200) throw new Error(`a webhook was answered ${answer.status}`);
    await answer.arrayBuffer();
    delivered += 1;
  };
  const served = await serve(async (request, body, response) => {
    sent += 1;
    const letter = { headers: kept(request.headers), body: body.toString() };
    if (chance !== undefined) {
      letters.push(letter);
      // While the answer that the webhook is about is still on its way to the service.
      if (chance.percent(earlyPercent)) await forward(letter).catch(() => undefined);
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
    begin: (percent, from) => {
      [sent, delivered, earlyPercent, chance] = [0, 0, percent, from];
    },
    deliver: async (copies) => {
      if (chance === undefined) throw new Error('nothing was kept');
      const all = letters.flatMap((letter) => Array<Letter>(copies).fill(letter));
      await inLanes(chance.shuffled(all), LANES, forward);
    },
    close: served.close,
  };
}

function kept(headers: IncomingHttpHeaders): Record<string, string> {
  const wanted = Object.entries(headers).filter(
    ([name]) => !/^(host|connection|content-length)$/.test(name),
  );
  return Object.fromEntries(wanted.map(([name, value]) => [name, String(value)]));
}
