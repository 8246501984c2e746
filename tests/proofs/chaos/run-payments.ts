//! Top-ups and withdrawals under disruptions and outages of the payment provider: each must end as
//! the provider decided, and be booked once.
import { setTimeout as sleep } from 'node:timers/promises';
import { dataOf, type Post } from '../../harness/api.ts';
import { createMarketplace } from '../../harness/people.ts';
import { randomOf } from '../../harness/random.ts';
import { print } from '../../harness/report.ts';
import { armFault, clearFaults, holdPayments } from '../../harness/sandbox.ts';
import { awaitEnds, type Payment, payIn, payOut, type Shop } from '../payments/payment.ts';
import { type Client, openClient } from './client.ts';
import type { Environment } from './environment.ts';
import { newNotebook } from './notebook.ts';
import type { ChaosOptions } from './options.ts';
import { underDisruptions } from './run-lives.ts';

const OUTAGES = 2;
const OUTAGE_MS = 20_000;
const BETWEEN_MS = 15_000;
const ENDS_MS_MAX = 120_000;
const RANDOM_STREAM = 700_000;
const OUT_OF_ORDER = ['payin.create', 'payin.cancel', 'payout.create', 'payout.commit'];

export async function runPayments(
  environment: Environment,
  options: ChaosOptions,
): Promise<{ check(): Promise<string[]> }> {
  const { sandbox, urls } = environment;
  const { key } = await createMarketplace(environment.set.ready, 'Payments', {
    scopes: ['read', 'write', 'support'],
  });
  await holdPayments(sandbox);
  const shopOf = (at: number): Shop =>
    shopWith(
      sandbox,
      openClient(urls, key, randomOf(options.seed, RANDOM_STREAM + at), newNotebook()),
    );
  const numbers = Array.from({ length: options.payments }, (_, at) => at);
  const payments: Payment[] = [];
  const wrong: string[] = [];
  let isOver = false;
  const outages = failNowAndThen(sandbox, () => isOver);
  const lived = await underDisruptions(environment, options, numbers, async (at) => {
    const random = randomOf(options.seed, RANDOM_STREAM * 2 + at);
    const live = at % 2 === 0 ? payIn : payOut;
    await live(shopOf(at), random).then(
      (payment) => payments.push(payment),
      (error: Error) => wrong.push(error.message),
    );
  });
  isOver = true;
  const count = await outages;
  print(`${payments.length} payments in ${lived.seconds.toFixed(0)} s, ${count} outages of 20 s`);
  return { check: async () => [...wrong, ...(await awaitEnds(shopOf(-1), payments, ENDS_MS_MAX))] };
}

/** Repeats each request until there is a response: all of them are safe to repeat. */
function shopWith(sandbox: string, client: Client): Shop {
  const post: Post = async (path, body = {}, key) => {
    const action = path.replaceAll(/\/[a-z]+_\w+/g, '');
    return dataOf(path, await client.callWithRetry({ action, path, body, key }));
  };
  const get: Shop['get'] = async (path) =>
    dataOf(path, await client.callWithRetry({ action: 'poll', path, method: 'GET' }));
  return { sandbox, post, get };
}

/** The provider returns only 500 for a while, then recovers. */
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
