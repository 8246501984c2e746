//! Sets available money aside by hand: POST /users/{userId}/balance/reserve.
import { refuse } from '@holdfast/contract/errors';
import type { UserId } from '@holdfast/kernel/ids';
import type { Call, KeyActor } from '../platform/call.ts';
import { type Books, type PostedBalance, post } from './post.ts';
import { type AmountWish, readHoldAmount } from './read-amount.ts';

export interface Hold extends AmountWish {
  /** Tags the hold; it does not make it the order's own reservation. */
  readonly orderId?: string;
  readonly reason?: string;
}

export async function reserveBalance(
  app: Books,
  call: Call<KeyActor>,
  userId: UserId,
  input: Hold,
): Promise<PostedBalance> {
  const amount = readHoldAmount(input);
  // Orders are not there yet, so no order can be named. The check moves to them when they come.
  if (input.orderId !== undefined) refuse('ORDER_NOT_FOUND', { orderId: input.orderId });
  return post(app, call, {
    kind: 'reserve',
    userId,
    amount,
    currency: input.currency,
    note: input.reason,
  });
}
