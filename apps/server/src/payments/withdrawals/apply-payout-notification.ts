//! Applies the payment provider's notifications about a payout.

import type { WithdrawalId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { read, type Transactor, transact } from '../../platform/database/transact.ts';
import { PAYOUT_NOTIFICATION_CONFLICT } from '../../platform/process/alarms.ts';
import type { ApplyResult, MarkNotification } from '../../providers/notification.ts';
import {
  isPayoutNotification,
  type PaymentNotification,
} from '../../providers/payments/payment-notification.ts';
import type { PaymentProvider } from '../../providers/payments/payment-provider.ts';
import { recordInTime } from '../../providers/payments/record-in-time.ts';
import { applyPayout, observationOf, type PayoutObservation } from './apply-payout.ts';
import { isPollable } from './fetch-payout.ts';
import {
  findWithdrawal,
  hasEnded,
  lockWithdrawal,
  setNextPollAt,
  type Withdrawal,
} from './withdrawal.ts';

interface PayoutApplier extends Transactor {
  readonly payments: PaymentProvider | undefined;
}

/**
 * Applies a verified notification at once where it fits; otherwise the provider's record decides.
 */
export async function applyPayoutNotification(
  app: PayoutApplier,
  call: Call,
  withdrawalId: WithdrawalId,
  notification: PaymentNotification,
  mark: MarkNotification,
): Promise<ApplyResult> {
  if (!isPayoutNotification(notification))
    return { kind: 'wrong', reason: 'The notification is not about a payout.' };
  const { id, code, status, occurredAt, amountMinor, reasonCode, reasonDescription } = notification;
  const observation: PayoutObservation = {
    by: 'notification',
    // Either id may be there; ours is not stored as the provider's.
    payoutId: id === withdrawalId || id === code ? null : id,
    status,
    at: occurredAt,
    amountMinor,
    reasonCode,
    reason: reasonDescription,
  };
  const record = await findEnd(app, call, withdrawalId, observation);
  return transact(app, call, async (tx): Promise<ApplyResult> => {
    const withdrawal = await lockWithdrawal(tx, withdrawalId);
    const contradiction = contradictionOf(withdrawal, observation, notification.currency);
    if (contradiction !== undefined) {
      if (!hasEnded(withdrawal) && withdrawal.committedAt !== null)
        await setNextPollAt(tx, withdrawal, tx.now);
      return { kind: 'wrong', reason: contradiction };
    }
    if (record !== undefined && record.status === 'completed')
      app.log.error({ withdrawalId, reported: status }, PAYOUT_NOTIFICATION_CONFLICT);
    const applied = await applyPayout(tx, app.log, withdrawal, record ?? observation);
    await mark(tx, applied === true ? 'APPLIED' : 'SUPERSEDED');
    return applied === true
      ? { kind: 'applied' }
      : { kind: 'superseded', reason: applied.notBecause };
  });
}

/**
 * The provider's record of a payout that a notification calls failed or canceled, where the record
 * has ended. Undefined where it does not matter any more, or the provider has not replied in time.
 */
async function findEnd(
  app: PayoutApplier,
  call: Call,
  withdrawalId: WithdrawalId,
  { status }: PayoutObservation,
): Promise<PayoutObservation | undefined> {
  const { payments } = app;
  if (payments === undefined || (status !== 'failed' && status !== 'canceled')) return undefined;
  const withdrawal = await read(app, call, (tx) => findWithdrawal(tx, withdrawalId));
  if (withdrawal === undefined || hasEnded(withdrawal) || !isPollable(withdrawal)) return undefined;
  const record = await recordInTime(payments.findPayout(withdrawalId));
  if (record === null) return undefined;
  const isEnd = ['completed', 'failed', 'canceled'].includes(record.status);
  return isEnd ? observationOf(record) : undefined;
}

/** The provider counts in dollars, whether the user's balance is in USD or USDC. */
function contradictionOf(
  { destination, amount, currency, providerPayoutId }: Withdrawal,
  { amountMinor, payoutId }: PayoutObservation,
  notifiedCurrency: string | null,
): string | undefined {
  if (destination.type === 'crypto')
    return 'The withdrawal is paid over the blockchain, not by the payment provider.';
  if (providerPayoutId !== null && payoutId !== null && payoutId !== providerPayoutId)
    return 'The notification names a different payout.';
  if (amountMinor !== null && amountMinor !== amount.minor)
    return 'The amount differs from the withdrawal.';
  if (notifiedCurrency !== null && notifiedCurrency !== 'USD' && notifiedCurrency !== currency)
    return 'The currency differs from the withdrawal.';
  return undefined;
}
