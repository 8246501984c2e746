//! Makes manually reserved money available again: POST /users/{userId}/balance/release.
import type { UserId } from '@holdfast/kernel/ids';
import type { Call, TenantActor } from '../../platform/call.ts';
import { readHoldAmount } from './amount-input.ts';
import { type Books, type PostedBalance, post } from './post.ts';
import type { Hold } from './reserve-balance.ts';

/**
 * Sees manual holds only: those tagged with the order when one is named, else the untagged ones.
 */
export async function unreserveBalance(
  app: Books,
  call: Call<TenantActor>,
  userId: UserId,
  input: Hold,
): Promise<PostedBalance> {
  const amount = readHoldAmount(input);
  return post(app, call, {
    kind: 'unreserve',
    userId,
    amount,
    currency: input.currency,
    orderId: input.orderId,
    note: input.reason,
  });
}
