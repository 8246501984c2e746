//! Top-ups and withdrawals while everything fails, the payment provider for whole stretches too:
//! each must end as the provider decided, and be booked once.
import { setTimeout as sleep } from 'node:timers/promises';
import { dataOf, type Post } from '../harness/api.ts';
import { chanceOf } from '../harness/chance.ts';
import { makeMarketplace } from '../harness/people.ts';
import { say } from '../harness/report.ts';
import { armFault, clearFaults, holdPayments } from '../harness/sandbox.ts';
import { awaitEnds, type Payment, payIn, payOut, type Shop } from '../payments/payment.ts';
import { type Client, openClient } from './client.ts';
import { newNotebook } from './notebook.ts';
import type { ChaosOptions } from './options.ts';
import { underStrikes } from './run-lives.ts';
import type { Stage } from './stage.ts';

const OUTAGES = 2;
const OUTAGE_MS = 20_000;
const BETWEEN_MS = 15_000;
const ENDS_MS_MAX = 120_000;
const LUCK = 700_000;
const OUT_OF_ORDER = ['payin.create', 'payin.cancel', 'payout.create', 'payout.commit'];

export async function runPayments(
  stage: Stage,
  options: ChaosOptions,
): Promise<{ judge(): Promise<string[]> }> {
  const { sandbox, urls } = stage;
  const { key } = await makeMarketplace(stage.set.ready, 'Payments', {
    scopes: ['read', 'write', 'support'],
  });
  await holdPayments(sandbox);
  const shopOf = (at: number): Shop =>
    shopWith(sandbox, openClient(urls, key, chanceOf(options.seed, LUCK + at), newNotebook()));
  const numbers = Array.from({ length: options.payments }, (_, at) => at);
  const payments: Payment[] = [];
  const wrong: string[] = [];
  let isOver = false;
  const outages = failNowAndThen(sandbox, () => isOver);
  const lived = await underStrikes(stage, options, numbers, async (at) => {
    const chance = chanceOf(options.seed, LUCK * 2 + at);
    const live = at % 2 === 0 ? payIn : payOut;
    await live(shopOf(at), chance).then(
      (payment) => payments.push(payment),
      (error: Error) => wrong.push(error.message),
    );
  });
  isOver = true;
  const count = await outages;
  say(`${payments.length} payments in ${lived.seconds.toFixed(0)} s, ${count} outages of 20 s`);
  return { judge: async () => [...wrong, ...(await awaitEnds(shopOf(-1), payments, ENDS_MS_MAX))] };
}

/** The same again until there is an answer: each of these is safe to repeat. */
function shopWith(sandbox: string, client: Client): Shop {
  const post: Post = async (path, body = {}, key) => {
    const deed = path.replaceAll(/\/[a-z]+_\w+/g, '');
    return dataOf(path, await client.insist({ deed, path, body, key }));
  };
  const get: Shop['get'] = async (path) =>
    dataOf(path, await client.insist({ deed: 'look', path, method: 'GET' }));
  return { sandbox, post, get };
}

/** The provider answers nothing but 500, then comes back. */
async function failNowAndThen(sandbox: string, isOver: () => boolean): Promise<number> {
  let count = 0;
  while (count < OUTAGES && !isOver()) {
    await sleep(BETWEEN_MS);
    const fault = { provider: 'payment', kind: 'error-before', times: 9999 };
    for (const operation of OUT_OF_ORDER) await armFault(sandbox, { ...fault, operation });
    await sleep(OUTAGE_MS);
    await clearFaults(sandbox);
    count += 1;
  }
  return count;
}
