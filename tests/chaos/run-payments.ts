//! Top-ups and withdrawals while everything fails, the payment provider for whole stretches too:
//! each must end as the provider decided, and be booked once.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Chance, chanceOf } from '../chaos-events/chance.ts';
import { answerText, type Client, isGood, openClient } from './client.ts';
import { inLanes } from './lanes.ts';
import { newNotebook } from './notebook.ts';
import type { ChaosOptions } from './options.ts';
import { underStrikes } from './run-lives.ts';
import { newKey, type Stage } from './stage.ts';
import { armFault, clearFaults, decide, holdPayouts } from './world.ts';

interface Payment {
  readonly path: string;
  readonly userId: string;
  readonly status: string;
  /** Available and reserved at the end. */
  readonly balance: string;
}

interface Ending {
  readonly decision: string;
  readonly status: string;
  readonly balance: string;
}

// biome-ignore format: a table.
const PAY_INS: readonly Ending[] = [
  { decision: 'CONFIRMED', status: 'TOPUP_SUCCEEDED', balance: '50.00 0.00' },
  { decision: 'FAILED',    status: 'TOPUP_FAILED',    balance: '0.00 0.00' },
  { decision: 'CANCELED',  status: 'TOPUP_CANCELED',  balance: '0.00 0.00' },
];

// biome-ignore format: a table.
const PAY_OUTS: readonly Ending[] = [
  { decision: 'COMPLETED', status: 'WITHDRAWAL_COMPLETED', balance: '30.00 0.00' },
  { decision: 'FAILED',    status: 'WITHDRAWAL_FAILED',    balance: '50.00 0.00' },
  { decision: 'CANCELED',  status: 'WITHDRAWAL_CANCELED',  balance: '50.00 0.00' },
];

const OUTAGES = 2;
const OUTAGE_MS = 20_000;
const BETWEEN_MS = 15_000;
const ENDS_MS_MAX = 120_000;
const LOOKING = 8;
const LUCK = 700_000;
const OUT_OF_ORDER = ['payin.create', 'payin.cancel', 'payout.create', 'payout.commit'];

export async function runPayments(
  stage: Stage,
  options: ChaosOptions,
): Promise<{ judge(): Promise<string[]> }> {
  const key = await newKey(stage.set, 'Payments');
  await holdPayouts(stage.sandbox);
  const clientOf = (at: number) =>
    openClient(stage.urls, key, chanceOf(options.seed, LUCK + at), newNotebook());
  const numbers = Array.from({ length: options.payments }, (_, at) => at);
  const payments: Payment[] = [];
  const wrong: string[] = [];
  let isOver = false;
  const outages = failNowAndThen(stage, () => isOver);
  const lived = await underStrikes(stage, options, numbers, async (at) => {
    const chance = chanceOf(options.seed, LUCK * 2 + at);
    const live = at % 2 === 0 ? payIn : payOut;
    await live(stage, clientOf(at), chance).then(
      (payment) => payments.push(payment),
      (error: Error) => wrong.push(error.message),
    );
  });
  isOver = true;
  const count = await outages;
  const seconds = lived.seconds.toFixed(0);
  process.stdout.write(`${payments.length} payments in ${seconds} s, ${count} outages of 20 s\n`);
  return { judge: async () => [...wrong, ...(await awaitEnds(clientOf(-1), payments))] };
}

/** The provider answers nothing but 500, then comes back. */
async function failNowAndThen({ sandbox }: Stage, isOver: () => boolean): Promise<number> {
  let count = 0;
  while (count < OUTAGES && !isOver()) {
    await sleep(BETWEEN_MS);
    for (const operation of OUT_OF_ORDER)
      await armFault(sandbox, {
        provider: 'payment',
        operation,
        kind: 'error-before',
        times: 9999,
      });
    await sleep(OUTAGE_MS);
    await clearFaults(sandbox);
    count += 1;
  }
  return count;
}

async function payIn({ sandbox }: Stage, client: Client, chance: Chance): Promise<Payment> {
  const { id: userId } = await person(client);
  const body = { userId, amount: '50.00' };
  const id = await must(client, '/topups', body, randomUUID());
  const { decision, status, balance } = endingOf(PAY_INS, chance);
  await decide(sandbox, 'payins', id, decision);
  return { path: `/topups/${id}`, userId, status, balance };
}

async function payOut({ sandbox }: Stage, client: Client, chance: Chance): Promise<Payment> {
  const { id: userId, email } = await person(client);
  const credit = { amount: '50.00', reference: 'first' };
  await must(client, `/users/${userId}/balance/credit`, credit);
  const destination = { type: 'payment_account', ref: email };
  const wish = { userId, amount: '20.00', currency: 'USD', destination };
  const id = await must(client, '/withdrawals', wish, randomUUID());
  await must(client, `/withdrawals/${id}/commit`, {}, randomUUID());
  const { decision, status, balance } = endingOf(PAY_OUTS, chance);
  await decide(sandbox, 'payouts', id, decision);
  return { path: `/withdrawals/${id}`, userId, status, balance };
}

function endingOf(endings: readonly Ending[], chance: Chance): Ending {
  const [good, ...others] = endings;
  return good === undefined || !chance.percent(70) ? chance.oneOf(others) : good;
}

async function person(client: Client): Promise<{ readonly id: string; readonly email: string }> {
  const email = `${randomUUID()}@example.test`;
  const id = await must(client, '/users', { externalUserId: email, email });
  await must(client, `/users/${id}/payment-account/link`, {});
  return { id, email };
}

/** The same again until there is an answer: each of these is safe to repeat. */
async function must(client: Client, path: string, body: object, key?: string): Promise<string> {
  const asked = { deed: path.replaceAll(/\/[a-z]+_\w+/g, ''), path, body };
  const answer = await client.insist({ ...asked, ...(key === undefined ? {} : { key }) });
  if (!isGood(answer)) throw new Error(`${path} was answered ${answerText(answer)}`);
  return String((answer.data as { readonly id?: string }).id);
}

/** Looking is the service's own business: nobody asks for a refresh. */
async function awaitEnds(client: Client, payments: readonly Payment[]): Promise<string[]> {
  const giveUpAt = performance.now() + ENDS_MS_MAX;
  for (let open = payments; ; await sleep(1000)) {
    const faults = await inLanes(open, LOOKING, (each) => faultOf(client, each));
    open = open.filter((_, at) => faults[at] !== undefined);
    if (open.length === 0 || performance.now() > giveUpAt)
      return faults.filter((fault) => fault !== undefined);
  }
}

async function faultOf(client: Client, payment: Payment): Promise<string | undefined> {
  const { path, userId, status, balance } = payment;
  const at = `/users/${userId}/balance`;
  const record = await read<{ status: string }>(client, path);
  const held = await read<{ available: string; reserved: string }>(client, at);
  const verified = await read<{ isValid: boolean; difference: string }>(client, `${at}/verify`);
  const seen = `${record.status} ${held.available} ${held.reserved}`;
  if (seen !== `${status} ${balance}`) return `${path} is ${seen}, not ${status} ${balance}`;
  const isEven = verified.isValid && /^0(\.0+)?$/.test(verified.difference);
  return isEven ? undefined : `the address of ${userId} differs by ${verified.difference}`;
}

async function read<T>(client: Client, path: string): Promise<T> {
  return (await client.insist({ deed: 'look', path, method: 'GET' })).data as T;
}
