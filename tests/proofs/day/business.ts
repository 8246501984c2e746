//! A marketplace at work: its users pay in, trade and withdraw, and banks take some of it back.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { minorText } from '@holdfast/kernel/money';
import type { Fields, Post } from '../../harness/api.ts';
import { inLanes } from '../../harness/lanes.ts';
import { createPerson, type Person } from '../../harness/people.ts';
import type { SeededRandom } from '../../harness/random.ts';
import { tally } from '../../harness/report.ts';
import { decide, returnPayout, reversePayin } from '../../harness/sandbox.ts';
import { within } from '../../harness/wait.ts';

export interface Business {
  /** One quarter of an hour. Returns faults. */
  work(quarter: number): Promise<string[]>;
  /** Compares everything with the providers; every exception is a fault. */
  reconcile(): Promise<string[]>;
  summary(): string;
}

interface Shop {
  readonly sandbox: string;
  readonly post: Post;
  readonly get: (path: string) => Promise<Fields>;
  readonly random: SeededRandom;
  readonly size: {
    readonly topups: number;
    readonly withdrawals: number;
    readonly orders: number;
  };
}

/** A payment that a bank will take back. */
interface Doomed {
  readonly kind: 'topups' | 'withdrawals';
  readonly id: string;
  readonly dueQuarter: number;
}

const LANES = 4;
const TAKEN_BACK_PERCENT = 5;
const TAKEN_BACK_QUARTERS_MAX = 8;
const CANCELED_PERCENT = 5;
const UNCOMMITTED_PERCENT = 3;
const DECLINED_PERCENT = 5;
const REFUNDED_PERCENT = 20;
const CENTS_MIN = 20_00n;
const CENTS_MAX = 300_00n;
const AMOUNT_STEPS = 1000;
const RUN_POLL_MS = 200;
/** Until the service knows what the provider did when the clock was set forward. */
const DONE_MS_MAX = 30_000;

export async function openBusiness(shop: Shop): Promise<Business> {
  const { topups, withdrawals, orders } = shop.size;
  // Everybody does one thing at a time, so that a balance that was read is still there.
  const places = Array.from({ length: topups + withdrawals + 2 * orders }, (_, at) => at);
  const people = await inLanes(places, LANES, async () => {
    const person = await createPerson(shop.post);
    await payIn(shop, person, () => undefined);
    return person;
  });
  const done: string[] = [];
  const doomed: Doomed[] = [];
  let runs = 0;
  return {
    work: async (quarter) => {
      const free = shop.random.shuffled(people);
      const next = () => free.pop() as Person;
      const wrong = await takeBack(shop, doomed, quarter, done);
      const doom = (kind: Doomed['kind'], id: string) => {
        // The first of each kind, so that a short day has both.
        const isFirst = doomed.every((each) => each.kind !== kind);
        if (!isFirst && !shop.random.percent(TAKEN_BACK_PERCENT)) return;
        const quarters = isFirst ? 1 : 1 + shop.random.below(TAKEN_BACK_QUARTERS_MAX);
        doomed.push({ kind, id, dueQuarter: quarter + quarters });
      };
      const acts = [
        ...Array.from({ length: topups }, () => () => payIn(shop, next(), doom)),
        ...Array.from({ length: withdrawals }, () => () => payOut(shop, next(), doom)),
        ...Array.from({ length: orders }, () => () => trade(shop, next(), next())),
      ];
      const lived = await inLanes(shop.random.shuffled(acts), LANES, (act) =>
        act().then(
          (what) => void done.push(what),
          ({ message }: Error) => {
            // A fee or a reversal may be charged after the balance was read.
            if (!message.includes('INSUFFICIENT_FUNDS')) return message;
            done.push('without money');
          },
        ),
      );
      return [...wrong, ...lived.filter((fault) => typeof fault === 'string')];
    },
    reconcile: async () => {
      runs += 1;
      return reconcile(shop);
    },
    summary: () =>
      tally(done)
        .map(([what, times]) => `${times} ${what}`)
        .concat(`${runs} reconciled`)
        .join(', '),
  };
}

type Doom = (kind: Doomed['kind'], id: string) => void;

async function payIn({ post, sandbox, random }: Shop, { id: userId }: Person, doom: Doom) {
  const amount = amountUpTo(random, CENTS_MAX);
  const { id } = await post('/topups', { userId, amount }, randomUUID());
  if (random.percent(DECLINED_PERCENT)) {
    await decide(sandbox, 'payins', String(id), 'FAILED');
    return 'declined';
  }
  await decide(sandbox, 'payins', String(id), 'CONFIRMED');
  doom('topups', String(id));
  return 'paid in';
}

async function payOut(shop: Shop, { id: userId, email }: Person, doom: Doom) {
  const { post, random } = shop;
  const cents = await availableOf(shop, userId);
  if (cents < CENTS_MIN) return 'without money';
  const amount = amountUpTo(random, cents < CENTS_MAX ? cents : CENTS_MAX);
  const destination = { type: 'payment_account', ref: email };
  const input = { userId, amount, currency: 'USD', destination };
  const id = String((await post('/withdrawals', input, randomUUID()))['id']);
  if (random.percent(UNCOMMITTED_PERCENT)) return 'left to expire';
  if (random.percent(CANCELED_PERCENT)) {
    await post(`/withdrawals/${id}/cancel`, { reason: 'not wanted' }, randomUUID());
    return 'canceled';
  }
  await post(`/withdrawals/${id}/commit`, {}, randomUUID());
  doom('withdrawals', id);
  return 'paid out';
}

async function trade(shop: Shop, { id: buyerId }: Person, { id: sellerId }: Person) {
  const { post, random } = shop;
  const cents = await availableOf(shop, buyerId);
  if (cents < CENTS_MIN) return 'without money';
  const amount = amountUpTo(random, cents);
  const { id } = await post('/orders', { buyerId, sellerId, amount, title: 'A table' });
  const end = random.percent(REFUNDED_PERCENT) ? 'refund' : 'release';
  for (const step of ['reserve', 'escrow', 'escrow/fund'])
    await post(`/orders/${String(id)}/${step}`);
  await post(
    `/orders/${String(id)}/resolution/${end}`,
    end === 'refund' ? { reason: 'broken' } : {},
  );
  return end === 'refund' ? 'refunded' : 'sold';
}

/** Nothing notifies the service of a reversal. A return looks like a payout that failed late. */
async function takeBack(
  { get, sandbox }: Shop,
  doomed: Doomed[],
  quarter: number,
  done: string[],
): Promise<string[]> {
  const wrong: string[] = [];
  const due = doomed.filter(({ dueQuarter }) => dueQuarter === quarter);
  for (const { kind, id } of due) {
    const isIn = kind === 'topups';
    const expected = isIn ? 'TOPUP_SUCCEEDED' : 'WITHDRAWAL_COMPLETED';
    const isDone = async () => (await get(`/${kind}/${id}`))['status'] === expected;
    if (!(await within(DONE_MS_MAX, isDone))) wrong.push(`${id} did not become ${expected}`);
    else await (isIn ? reversePayin : returnPayout)(sandbox, id);
    done.push(isIn ? 'reversed' : 'returned');
  }
  return wrong;
}

async function reconcile({ post, get }: Shop): Promise<string[]> {
  const { id } = await post('/reconciliation/runs');
  let run = await get(`/reconciliation/runs/${String(id)}`);
  while (run['status'] === 'RUNNING') {
    await sleep(RUN_POLL_MS);
    run = await get(`/reconciliation/runs/${String(id)}`);
  }
  const found = (await get(
    `/reconciliation/exceptions?runId=${String(id)}`,
  )) as unknown as Fields[];
  const wrong = found.map((each) => `reconciliation found ${JSON.stringify(each)}`);
  return run['status'] === 'DONE' ? wrong : [...wrong, `the run is ${String(run['status'])}`];
}

async function availableOf({ get }: Shop, userId: string): Promise<bigint> {
  const { available } = await get(`/users/${userId}/balance`);
  return BigInt(String(available).replace('.', ''));
}

function amountUpTo(random: SeededRandom, cents: bigint): string {
  const steps = BigInt(random.below(AMOUNT_STEPS + 1));
  return minorText(CENTS_MIN + ((cents - CENTS_MIN) * steps) / BigInt(AMOUNT_STEPS));
}
