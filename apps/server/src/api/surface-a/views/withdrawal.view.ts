//! Response view of a withdrawal.
import type { WithdrawalView } from '@holdfast/contract/records/payment-records';
import { instantText } from '@holdfast/kernel/clock';
import { minorText } from '@holdfast/kernel/money';
import type { getWithdrawal } from '../../../payments/withdrawals/read-withdrawals.ts';

type Withdrawal = Awaited<ReturnType<typeof getWithdrawal>>;

export function withdrawalView(withdrawal: Withdrawal): WithdrawalView {
  const { type, ref, memo } = withdrawal.destination;
  return {
    id: withdrawal.id,
    status: withdrawal.status,
    userId: withdrawal.userId,
    amount: withdrawal.amount.text,
    currency: withdrawal.currency,
    destination: { type, ref, ...(memo === null ? {} : { memo }) },
    providerPayoutId: withdrawal.providerPayoutId,
    transactionHash: withdrawal.transactionHash,
    actionRequired: withdrawal.actionRequired,
    actionUrl: withdrawal.actionUrl,
    failureReason: withdrawal.failureReason,
    errorCode: withdrawal.errorCode,
    // It matters only until the commit.
    expiresAt:
      withdrawal.status === 'WITHDRAWAL_CREATED' ? instantText(withdrawal.expiresAt) : null,
    committedAt: instantText(withdrawal.committedAt),
    completedAt: instantText(withdrawal.completedAt),
    returnedAmount: minorText(withdrawal.returned),
    createdAt: instantText(withdrawal.createdAt),
    updatedAt: instantText(withdrawal.updatedAt),
  };
}
