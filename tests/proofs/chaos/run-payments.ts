//! Top-ups and withdrawals under disruptions and outages of the payment provider: each must end as
//! the provider decided, and be booked once.
import { setTimeout as sleep } from 'node:timers/promises';
import { dataOf } from '../../harness/api.ts';
import { createMarketplace } from '../../harness/people.ts';
import { randomOf, type SeededRandom } from '../../harness/random.ts';
import { print } from '../../harness/report.ts';
import { armFault, clearFaults, holdPayments } from '../../harness/sandbox.ts';
import {
  awaitEnds,
  type Payment,
  payIn,
  payOut,
  payOutAndCancel,
  type Shop,
  takeBack,
} from '../payments/payment.ts';
import { type Client, openClient, posterOf } from './client.ts';
import type { Environment } from './environment.ts';
import type { Notebook } from './notebook.ts';
import type { ChaosOptions } from './options.ts';
import { type Lived, underDisruptions } from './run-lives.ts';

const OUTAGES = 2;
const OUTAGE_MS = 20_000;
const BETWEEN_MS = 15_000;
/** A reversal is found by the solvency reading of its minute, and then read from its record. */
const ENDS_MS_MAX = 240_000;
const TAKEN_BACK_PERCENT = 5;
const CANCELED_PERCENT = 10;
const RANDOM_STREAM = 700_000;
const OUT_OF_ORDER = ['payin.create', 'payin.cancel', 'payout.create', 'payout.commit'];

export async function runPayments(
  environment: Environment,
  options: ChaosOptions,
  notebook: Notebook,
): Promise<{ readonly lived: Lived; check(): Promise<string[]> }> {
  const { sandbox, urls } = environment;
  const { id, key } = await createMarketplace(environment.set.ready, 'Payments', {
    scopes: ['read', 'write', 'support'],
  });
  await holdPayments(sandbox);
  const shopOf = (at: number): Shop =>
    shopWith(sandbox, openClient(urls, key, randomOf(options.seed, RANDOM_STREAM + at), notebook));
  const numbers = Array.from({ length: options.payments }, (_, at) => at);
  const payments: Payment[] = [];
  const wrong: string[] = [];
  let isOver = false;
  const outages = failNowAndThen(sandbox, () => isOver);
  const work = async (at: number) => {
    const random = randomOf(options.seed, RANDOM_STREAM * 2 + at);
    const shop = shopOf(at);
    await live(shop, random, at).then(
      (payment) => payments.push(payment),
      (error: Error) => wrong.push(error.message),
    );
  };
  const lived = await underDisruptions(environment, options, {
    ...{ marketplaceIds: [id], notebook, things: numbers, work },
  });
  isOver = true;
  const count = await outages;
  print(`${payments.length} payments in ${lived.seconds.toFixed(0)} s, ${count} outages of 20 s`);
  const check = async () => [...wrong, ...(await awaitEnds(shopOf(-1), payments, ENDS_MS_MAX))];
  return { lived, check };
}

/** Half come in, half go out; some are canceled, and some taken back by a bank afterwards. */
async function live(shop: Shop, random: SeededRandom, at: number): Promise<Payment> {
  const out = random.percent(CANCELED_PERCENT) ? payOutAndCancel : payOut;
  const payment = await (at % 2 === 0 ? payIn : out)(shop, random);
  return random.percent(TAKEN_BACK_PERCENT) ? takeBack(shop, payment) : payment;
}

function shopWith(sandbox: string, client: Client): Shop {
  const get: Shop['get'] = async (path) =>
    dataOf(path, await client.callWithRetry({ action: 'poll', path, method: 'GET' }));
  return { sandbox, post: posterOf(client), get };
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
