//! Users who owe money: a payment was spent, and then taken back by the payer's bank.
import type { UserId } from '@holdfast/kernel/ids';
import { minorText } from '@holdfast/kernel/money';
import { creditBalance } from '../accounts/books/credit-balance.ts';
import { debitBalance } from '../accounts/books/debit-balance.ts';
import { getBalance } from '../accounts/books/get-balance.ts';
import { unfreezeUser } from '../accounts/users/unfreeze-user.ts';
import { refreshTopup } from '../payments/topups/refresh-topup.ts';
import { type PaidWorld, requestTopup, reverseAtProvider } from './topups.ts';
import type { Market } from './world.ts';

/** From now on the user owes 30.00. The balance is what it was, and the user is active. */
export async function owe(world: PaidWorld, market: Market, userId: UserId): Promise<UserId> {
  const { app } = world;
  const { call } = market;
  const before = (await getBalance(app, call, userId)).available;
  const { id } = await requestTopup(world, market, { userId, amount: '30.00' });
  await world.sandbox.setPayin(id, 'CONFIRMED');
  await refreshTopup(app, call, id);
  await debitBalance(app, call, userId, { amount: minorText(before + 3000n) });
  await reverseAtProvider(world, id);
  await refreshTopup(app, call, id);
  // A credit by key repays nothing.
  if (before > 0n) await creditBalance(app, call, userId, { amount: minorText(before) });
  await unfreezeUser(app, call, userId, { reason: 'for a test' });
  return userId;
}
