//! A payment from its beginning: who has what when the world has made up its mind.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fields, Post } from '../harness/api.ts';
import type { Chance } from '../harness/chance.ts';
import { inLanes } from '../harness/lanes.ts';
import { makePerson } from '../harness/people.ts';
import { decide } from '../harness/sandbox.ts';

export interface Payment {
  readonly path: string;
  readonly userId: string;
  readonly status: string;
  /** Available and reserved at the end. */
  readonly balance: string;
}

/** A marketplace that asks, and the world in which payments are decided. */
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

const LOOKING = 8;

export async function payIn({ post, sandbox }: Shop, chance: Chance): Promise<Payment> {
  const { id: userId } = await makePerson(post);
  const { id } = await post('/topups', { userId, amount: '50.00' }, randomUUID());
  const { decision, status, balance } = endingOf(PAY_INS, chance);
  await decide(sandbox, 'payins', String(id), decision);
  return { path: `/topups/${String(id)}`, userId, status, balance };
}

export async function payOut({ post, sandbox }: Shop, chance: Chance): Promise<Payment> {
  const { id: userId, email } = await makePerson(post, { credit: '50.00' });
  const destination = { type: 'payment_account', ref: email };
  const wish = { userId, amount: '20.00', currency: 'USD', destination };
  const { id } = await post('/withdrawals', wish, randomUUID());
  await post(`/withdrawals/${String(id)}/commit`, {}, randomUUID());
  const { decision, status, balance } = endingOf(PAY_OUTS, chance);
  await decide(sandbox, 'payouts', String(id), decision);
  return { path: `/withdrawals/${String(id)}`, userId, status, balance };
}

function endingOf([good, ...others]: readonly Ending[], chance: Chance): Ending {
  return good === undefined || !chance.percent(70) ? chance.oneOf(others) : good;
}

/** What ended wrong. Nobody asks for a refresh: looking is the service's own business. */
export async function awaitEnds(
  shop: Shop,
  payments: readonly Payment[],
  msMax: number,
): Promise<string[]> {
  const giveUpAt = performance.now() + msMax;
  for (let open = payments; ; await sleep(1000)) {
    const faults = await inLanes(open, LOOKING, (each) => faultOf(shop, each));
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
  const meant = `${payment.status} ${payment.balance}`;
  if (seen !== meant) return `${path} is ${seen}, not ${meant}`;
  const isEven = isValid === true && /^0(\.0+)?$/.test(String(difference));
  return isEven ? undefined : `the address of ${userId} differs by ${String(difference)}`;
}
