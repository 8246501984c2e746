//! Response view of a top-up.
import type { TopupView } from '@holdfast/contract/records/payment-records';
import { instantText } from '@holdfast/kernel/clock';
import { minorText } from '@holdfast/kernel/money';
import type { getTopup } from '../../../payments/topups/read-topups.ts';

type Topup = Awaited<ReturnType<typeof getTopup>>;

export function topupView(topup: Topup): TopupView {
  return {
    id: topup.id,
    status: topup.status,
    userId: topup.userId,
    amount: topup.amount.text,
    currency: topup.currency,
    description: topup.description,
    confirmationUri: topup.confirmationUri,
    returnUrl: topup.returnUrl,
    cancelUrl: topup.cancelUrl,
    providerPayinId: topup.providerPayinId,
    failureReason: topup.failureReason,
    errorCode: topup.errorCode,
    metadata: topup.metadata,
    providerFee: topup.fee === null ? null : minorText(topup.fee),
    providerFeePaidBy: topup.feePaidBy,
    reversedAmount: minorText(topup.reversed),
    createdAt: instantText(topup.createdAt),
    updatedAt: instantText(topup.updatedAt),
  };
}
