//! Debits a user to the marketplace's adjustment account: POST /users/{userId}/balance/debit.
import type { UserId } from '@holdfast/kernel/ids';
import type { Call, TenantActor } from '../../platform/call.ts';
import { readAdjustmentAmount } from './amount-input.ts';
import type { Adjustment } from './credit-balance.ts';
import { type Books, type PostedBalance, post } from './post.ts';

/** Takes available money only: reserved money is out of reach. */
export async function debitBalance(
  app: Books,
  call: Call<TenantActor>,
  userId: UserId,
  input: Adjustment,
): Promise<PostedBalance> {
  const amount = readAdjustmentAmount(input);
  return post(app, call, {
    kind: 'debit',
    userId,
    amount,
    currency: input.currency,
    reference: input.reference,
    note: input.description,
  });
}
