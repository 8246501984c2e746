//! Returns every manual hold tagged with an order: POST /users/{userId}/balance/cancel-reservation.
import { BASE_CURRENCY } from '@holdfast/contract/limits';
import type { UserId } from '@holdfast/kernel/ids';
import type { Call, TenantActor } from '../../platform/call.ts';
import { read } from '../../platform/database/transact.ts';
import { currenciesHeldFor } from './account.ts';
import { type Books, type PostedBalance, post } from './post.ts';

export interface Cancellation {
  readonly orderId: string;
  readonly reason?: string;
}

/**
 * Holds of one order are nearly always of one currency. Otherwise each currency is its own posting,
 * and the last one carries the Idempotency-Key: a repeat of the earlier ones finds no holds.
 */
export async function cancelReservations(
  app: Books,
  call: Call<TenantActor>,
  userId: UserId,
  input: Cancellation,
): Promise<PostedBalance> {
  const currencies = await read(app, call, (tx) => currenciesHeldFor(tx, userId, input.orderId));
  const last = currencies.pop() ?? BASE_CURRENCY;
  const command = {
    kind: 'cancel',
    userId,
    amount: null,
    orderId: input.orderId,
    note: input.reason,
  } as const;
  for (const currency of currencies)
    await post(app, { ...call, idempotency: undefined }, { ...command, currency });
  return post(app, call, { ...command, currency: last });
}
