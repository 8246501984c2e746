//! What an event of the payment provider is about: a top-up or a withdrawal, found by either name.
import type { Transactor } from '../platform/transact.ts';
import { isPayoutNotice } from '../providers/payment-notice.ts';
import { applyPayinNotice } from '../topups/apply-payin.ts';
import { findNoticedTopup } from '../topups/find-noticed-topup.ts';
import { applyPayoutNotice } from '../withdrawals/apply-payout.ts';
import { findNoticedWithdrawal } from '../withdrawals/find-noticed-withdrawal.ts';
import type { Finder } from './noticed.ts';
import { readPaymentBody } from './payment-body.ts';

export function paymentFinder(app: Transactor): Finder {
  return async ({ body, eventId }) => {
    const notice = readPaymentBody(body, eventId)?.notice;
    if (notice === undefined) return { kind: 'wrong', reason: 'it can not be read' };
    if (isPayoutNotice(notice)) {
      const found = await findNoticedWithdrawal(app.pool, notice);
      if (found === undefined) return { kind: 'early', reason: 'no withdrawal is known by it' };
      const { marketplace, withdrawalId } = found;
      return {
        marketplace,
        resourceType: 'Withdrawal',
        resourceId: withdrawalId,
        apply: (call, seal) => applyPayoutNotice(app, call, withdrawalId, notice, seal),
      };
    }
    const found = await findNoticedTopup(app.pool, [notice.code, notice.id]);
    if (found === undefined) return { kind: 'early', reason: 'no top-up is known by it' };
    const { marketplace, topupId } = found;
    return {
      marketplace,
      resourceType: 'TopUp',
      resourceId: topupId,
      apply: (call, seal) => applyPayinNotice(app, call, topupId, notice, seal),
    };
  };
}
