//! Consumes manually reserved money for good: POST /users/{userId}/balance/deduct-reserved.
import type { UserId } from '@holdfast/kernel/ids';
import type { Call, TenantActor } from '../../platform/call.ts';
import { readHoldAmount } from './amount-input.ts';
import { type Books, type PostedBalance, post } from './post.ts';
import type { Hold } from './reserve-balance.ts';

export async function spendReserved(
  app: Books,
  call: Call<TenantActor>,
  userId: UserId,
  input: Hold,
): Promise<PostedBalance> {
  const amount = readHoldAmount(input);
  return post(app, call, {
    kind: 'spend',
    userId,
    amount,
    currency: input.currency,
    orderId: input.orderId,
    note: input.reason,
  });
}
