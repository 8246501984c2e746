//! Starts a payment, decides how it ends, and checks its final status and balance.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fields, Post } from '../../harness/api.ts';
import { inLanes } from '../../harness/lanes.ts';
import { createPerson } from '../../harness/people.ts';
import type { SeededRandom } from '../../harness/random.ts';
import { decide, returnPayout, reversePayin } from '../../harness/sandbox.ts';

export interface Payment {
  readonly path: string;
  readonly userId: string;
  readonly status: string;
  /** The available and reserved balance at the end. */
  readonly balance: string;
}

/** A marketplace that makes payments, and the sandbox in which they are decided. */
export interface Shop {
  readonly post: Post;
  readonly get: (path: string) => Promise<Fields>;
  readonly sandbox: string;
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

const POLLERS = 8;
/** Until the service knows how a payment ended. */
const KNOWN_MS_MAX = 120_000;

export async function payIn({ post, sandbox }: Shop, random: SeededRandom): Promise<Payment> {
  const { id: userId } = await createPerson(post);
  const { id } = await post('/topups', { userId, amount: '50.00' }, randomUUID());
  const { decision, status, balance } = endingOf(PAY_INS, random);
  await decide(sandbox, 'payins', String(id), decision);
  return { path: `/topups/${String(id)}`, userId, status, balance };
}

export async function payOut({ post, sandbox }: Shop, random: SeededRandom): Promise<Payment> {
  const { id, path, userId } = await createWithdrawal(post);
  await post(`${path}/commit`, {}, randomUUID());
  const { decision, status, balance } = endingOf(PAY_OUTS, random);
  await decide(sandbox, 'payouts', id, decision);
  return { path, userId, status, balance };
}

/** Of 20.00, by a new user who has 50.00. */
async function createWithdrawal(post: Post) {
  const { id: userId, email } = await createPerson(post, { credit: '50.00' });
  const destination = { type: 'payment_account', ref: email };
  const input = { userId, amount: '20.00', currency: 'USD', destination };
  const id = String((await post('/withdrawals', input, randomUUID()))['id']);
  return { id, path: `/withdrawals/${id}`, userId };
}

/** Created, and canceled by the marketplace: before its commit, or while the payout is pending. */
export async function payOutAndCancel({ post }: Shop, random: SeededRandom): Promise<Payment> {
  const { path, userId } = await createWithdrawal(post);
  if (random.percent(50)) await post(`${path}/commit`, {}, randomUUID());
  await post(`${path}/cancel`, { reason: 'not wanted' }, randomUUID());
  return { path, userId, status: 'WITHDRAWAL_CANCELED', balance: '50.00 0.00' };
}

/**
 * A bank takes back a payment that was credited, or returns one that was paid out. Nothing notifies
 * the service of the first; the second may arrive as a failed payout.
 */
export async function takeBack({ get, sandbox }: Shop, payment: Payment): Promise<Payment> {
  const { path, status } = payment;
  const isIn = status === 'TOPUP_SUCCEEDED';
  if (!isIn && status !== 'WITHDRAWAL_COMPLETED') return payment;
  const giveUpAt = performance.now() + KNOWN_MS_MAX;
  while ((await get(path))['status'] !== status) {
    if (performance.now() > giveUpAt) throw new Error(`${path} did not become ${status}`);
    await sleep(500);
  }
  const code = path.split('/').at(-1) ?? '';
  await (isIn ? reversePayin : returnPayout)(sandbox, code);
  return { ...payment, balance: isIn ? '0.00 0.00' : '50.00 0.00' };
}

function endingOf([good, ...others]: readonly Ending[], random: SeededRandom): Ending {
  return good === undefined || !random.percent(70) ? random.oneOf(others) : good;
}

/**
 * Returns the payments that ended wrong. No client requests a refresh: the service polls by itself.
 */
export async function awaitEnds(
  shop: Shop,
  payments: readonly Payment[],
  msMax: number,
): Promise<string[]> {
  const giveUpAt = performance.now() + msMax;
  for (let open = payments; ; await sleep(1000)) {
    const faults = await inLanes(open, POLLERS, (each) => faultOf(shop, each));
    open = open.filter((_, at) => faults[at] !== undefined);
    if (open.length === 0 || performance.now() > giveUpAt)
      return faults.filter((fault) => fault !== undefined);
  }
}

async function faultOf({ get }: Shop, payment: Payment): Promise<string | undefined> {
  const { path, userId } = payment;
  const { status } = await get(path);
  const { available, reserved } = await get(`/users/${userId}/balance`);
  const { isValid, difference } = await get(`/users/${userId}/balance/verify`);
  const seen = [status, available, reserved].join(' ');
  const expected = `${payment.status} ${payment.balance}`;
  if (seen !== expected) return `${path} is ${seen}, not ${expected}`;
  const isEven = isValid === true && /^0(\.0+)?$/.test(String(difference));
  return isEven ? undefined : `the address of ${userId} differs by ${String(difference)}`;
}
