//! A payment from its beginning: who has what when the world has made up its mind.
import { randomUUID } from 'node:crypto';
import type { Chance } from '../chaos-events/chance.ts';
import { must, type Shop } from './shop.ts';

export interface Payment {
  readonly path: string;
  readonly userId: string;
  readonly status: string;
  /** Available and reserved at the end. */
  readonly balance: string;
}

// biome-ignore format: a table.
const PAY_IN_ENDS = {
  CONFIRMED: ['TOPUP_SUCCEEDED', '50.00 0.00'],
  FAILED:    ['TOPUP_FAILED', '0.00 0.00'],
  CANCELED:  ['TOPUP_CANCELED', '0.00 0.00'],
} as const;

// biome-ignore format: a table.
const PAY_OUT_ENDS = {
  COMPLETED: ['WITHDRAWAL_COMPLETED', '30.00 0.00'],
  FAILED:    ['WITHDRAWAL_FAILED', '50.00 0.00'],
  CANCELED:  ['WITHDRAWAL_CANCELED', '50.00 0.00'],
} as const;

export async function payIn(shop: Shop, chance: Chance): Promise<Payment> {
  const { id: userId } = await shop.person();
  const body = { userId, amount: '50.00', metadata: { try: randomUUID() } };
  const { data } = await must(shop.ask('POST', '/topups', body));
  const id = String(data['id']);
  const end = chance.percent(70) ? 'CONFIRMED' : chance.oneOf(['FAILED', 'CANCELED'] as const);
  await shop.control(`/payins/${id}`, { status: end });
  const [status, balance] = PAY_IN_ENDS[end];
  return { path: `/topups/${id}`, userId, status, balance };
}

export async function payOut(shop: Shop, chance: Chance): Promise<Payment> {
  const { id: userId, email } = await shop.person('50.00');
  const destination = { type: 'payment_account', ref: email };
  const body = { userId, amount: '20.00', currency: 'USD', destination };
  const { data } = await must(shop.ask('POST', '/withdrawals', body));
  const id = String(data['id']);
  await must(shop.ask('POST', `/withdrawals/${id}/commit`));
  const end = chance.percent(70) ? 'COMPLETED' : chance.oneOf(['FAILED', 'CANCELED'] as const);
  await shop.control(`/payouts/${id}`, { status: end });
  const [status, balance] = PAY_OUT_ENDS[end];
  return { path: `/withdrawals/${id}`, userId, status, balance };
}

/** What is not as it should be in the end; undefined when all is. */
export async function endsWrong(shop: Shop, payment: Payment): Promise<string | undefined> {
  const { data } = await must(shop.ask('GET', payment.path));
  const { data: held } = await must(shop.ask('GET', `/users/${payment.userId}/balance`));
  const seen = [data['status'], held['available'], held['reserved']].join(' ');
  const meant = `${payment.status} ${payment.balance}`;
  return seen === meant ? undefined : `${payment.path} is ${seen}, not ${meant}`;
}
