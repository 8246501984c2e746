//! Reserves available money by hand: POST /users/{userId}/balance/reserve.
import { refuse } from '@holdfast/contract/errors';
import type { UserId } from '@holdfast/kernel/ids';
import type { Call, TenantActor } from '../../platform/call.ts';
import { read } from '../../platform/database/transact.ts';
import { type AmountInput, readHoldAmount } from './amount-input.ts';
import { hasOrder } from './order-money.ts';
import { type Books, type PostedBalance, post } from './post.ts';

export interface Hold extends AmountInput {
  /** Tags the hold; it does not make it the order's own reservation. */
  readonly orderId?: string;
  readonly reason?: string;
}

export async function reserveBalance(
  app: Books,
  call: Call<TenantActor>,
  userId: UserId,
  input: Hold,
): Promise<PostedBalance> {
  const amount = readHoldAmount(input);
  const { orderId } = input;
  if (orderId !== undefined && !(await read(app, call, (tx) => hasOrder(tx, orderId))))
    refuse('ORDER_NOT_FOUND', { orderId });
  return post(app, call, {
    kind: 'reserve',
    userId,
    amount,
    currency: input.currency,
    orderId,
    note: input.reason,
  });
}
