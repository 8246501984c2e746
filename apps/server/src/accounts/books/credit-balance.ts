//! Credits a user from the marketplace's adjustment account: POST /users/{userId}/balance/credit.
import type { UserId } from '@holdfast/kernel/ids';
import type { Call, TenantActor } from '../../platform/call.ts';
import { type AmountInput, readAdjustmentAmount } from './amount-input.ts';
import { type Books, type PostedBalance, post } from './post.ts';

export interface Adjustment extends AmountInput {
  /** Unique per user: a repeat moves nothing and returns the same. */
  readonly reference?: string;
  readonly description?: string;
}

export async function creditBalance(
  app: Books,
  call: Call<TenantActor>,
  userId: UserId,
  input: Adjustment,
): Promise<PostedBalance> {
  const amount = readAdjustmentAmount(input);
  return post(app, call, {
    kind: 'credit',
    userId,
    amount,
    currency: input.currency,
    reference: input.reference,
    note: input.description,
  });
}
