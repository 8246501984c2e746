//! Finds the top-up or withdrawal of a payment provider's event, by our id or the provider's.

import { applyPayinNotification } from '../../payments/topups/apply-payin.ts';
import { findTopupByPayin } from '../../payments/topups/find-topup-by-payin.ts';
import { applyPayoutNotification } from '../../payments/withdrawals/apply-payout-notification.ts';
import { findWithdrawalByPayout } from '../../payments/withdrawals/find-withdrawal-by-payout.ts';
import type { Transactor } from '../../platform/database/transact.ts';
import { isPayoutNotification } from '../../providers/payments/payment-notification.ts';
import type { PaymentProvider } from '../../providers/payments/payment-provider.ts';
import type { Finder } from './event-subject.ts';
import { readPaymentBody } from './payment-body.ts';

interface PaymentFinderDeps extends Transactor {
  /** Undefined where none is configured. */
  readonly payments: PaymentProvider | undefined;
}

export function paymentFinder(app: PaymentFinderDeps): Finder {
  return async ({ body, eventId }) => {
    const notification = readPaymentBody(body, eventId)?.notification;
    if (notification === undefined)
      return { kind: 'wrong', reason: 'The notification cannot be parsed.' };
    if (isPayoutNotification(notification)) {
      const found = await findWithdrawalByPayout(app.pool, notification);
      if (found === undefined) return { kind: 'early', reason: 'No matching withdrawal.' };
      const { marketplace, withdrawalId } = found;
      return {
        marketplace,
        resourceType: 'Withdrawal',
        resourceId: withdrawalId,
        apply: (call, mark) => applyPayoutNotification(app, call, withdrawalId, notification, mark),
      };
    }
    const found = await findTopupByPayin(app.pool, [notification.code, notification.id]);
    if (found === undefined) return { kind: 'early', reason: 'No matching top-up.' };
    const { marketplace, topupId } = found;
    return {
      marketplace,
      resourceType: 'TopUp',
      resourceId: topupId,
      apply: (call, mark) => applyPayinNotification(app, call, topupId, notification, mark),
    };
  };
}
