//! Withdrawals for attacks: users with money and a payment account, and destinations that have
//! waited their time.
import { randomUUID } from 'node:crypto';
import type { AttackWorld } from './world.ts';

/** Of a new user with exactly this money, not committed; returns the id. */
export async function createWithdrawal(
  { arrange, ready }: AttackWorld,
  amount: string,
  bearer: string = ready.apiKey,
): Promise<string> {
  const email = `${randomUUID()}@example.com`;
  const user = await arrange('/users', { externalUserId: randomUUID(), email }, bearer);
  const userId = String(user['id']);
  await arrange(`/users/${userId}/payment-account/link`, {}, bearer);
  await arrange(`/users/${userId}/balance/credit`, { amount }, bearer);
  const destination = { type: 'payment_account', ref: email };
  const withdrawal = { userId, amount, currency: 'USD', destination };
  return String((await arrange('/withdrawals', withdrawal, bearer))['id']);
}

/** As if all destinations so far had been used two days ago. */
export async function ageDestinations({ monitor }: AttackWorld): Promise<void> {
  await monitor.query(
    `update payout_destination set first_used_at = first_used_at - interval '2 days'`,
  );
}
