//! Ends a withdrawal as paid out, failed or canceled: status, money, event and audit in one
//! transaction.
import { instantText } from '@holdfast/kernel/clock';
import { minorText } from '@holdfast/kernel/money';
import {
  payWithdrawal,
  retakeWithdrawal,
  returnWithdrawal,
  returnWithdrawalHold,
} from '../../accounts/books/withdrawal-money.ts';
import { emit } from '../../platform/database/outbox.ts';
import type { Tx } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { giveUseBack } from '../payout-limits/payout-use.ts';
import { type MoveFacts, moveWithdrawal, type Withdrawal } from './withdrawal.ts';

/** The caller has locked the withdrawal and checked that it has not ended. */
export async function completeWithdrawal(
  tx: Tx,
  withdrawal: Withdrawal,
  facts: MoveFacts,
): Promise<void> {
  await payWithdrawal(tx, withdrawal);
  const done = await moveWithdrawal(tx, withdrawal, 'complete', facts);
  const { providerPayoutId, transactionHash } = done;
  await emit(tx, 'withdrawal.completed', done.id, {
    ...payloadOf(done),
    currency: done.currency,
    completedAt: instantText(tx.now),
    ...(providerPayoutId === null ? {} : { providerPayoutId }),
  });
  await audit(tx, {
    action: 'WITHDRAWAL_COMPLETED',
    resourceId: done.id,
    before: { status: withdrawal.status },
    after: { status: done.status, amount: done.amount.text, providerPayoutId, transactionHash },
  });
}

/** Why the money was not paid out, in the words of the component that refused it. */
export interface Failure {
  readonly reason: string;
  readonly errorCode: string | null;
  /** False where only a notification says so: the money cannot be used before the record agrees. */
  readonly isConfirmed?: boolean;
}

export async function failWithdrawal(
  tx: Tx,
  withdrawal: Withdrawal,
  { reason, errorCode, isConfirmed = true }: Failure,
  facts: MoveFacts,
): Promise<void> {
  await returnWithdrawalHold(tx, withdrawal, 'withdrawal_failed', isConfirmed);
  if (isConfirmed) await giveUseBack(tx, withdrawal.id);
  const failed = await moveWithdrawal(tx, withdrawal, 'fail', {
    ...facts,
    failureReason: reason,
    errorCode,
  });
  const { providerPayoutId } = failed;
  await emit(tx, 'withdrawal.failed', failed.id, {
    ...payloadOf(failed),
    reason,
    ...(errorCode === null ? {} : { errorCode }),
    ...(providerPayoutId === null ? {} : { providerPayoutId }),
  });
  await audit(tx, {
    action: 'WITHDRAWAL_FAILED',
    resourceId: failed.id,
    before: { status: withdrawal.status },
    after: { status: failed.status, amount: failed.amount.text, errorCode, isConfirmed },
    reason,
    result: 'FAILURE',
  });
}

/** Who canceled it, and why: a caller, `system` for one that expired, or the provider. */
export interface Cancellation {
  readonly canceledBy: string;
  readonly reason: string | null;
  readonly errorCode?: string | null;
  /** As of a failure. */
  readonly isConfirmed?: boolean;
}

export async function endCanceled(
  tx: Tx,
  withdrawal: Withdrawal,
  move: 'cancel' | 'canceledUpstream',
  { canceledBy, reason, errorCode = null, isConfirmed = true }: Cancellation,
  facts: MoveFacts,
): Promise<Withdrawal> {
  const { available } = await returnWithdrawalHold(
    tx,
    withdrawal,
    'withdrawal_canceled',
    isConfirmed,
  );
  if (isConfirmed) await giveUseBack(tx, withdrawal.id);
  const canceled = await moveWithdrawal(tx, withdrawal, move, {
    ...facts,
    ...(reason === null ? {} : { failureReason: reason }),
    errorCode,
  });
  await emit(tx, 'withdrawal.canceled', canceled.id, {
    ...payloadOf(canceled),
    canceledBy,
    ...(reason === null ? {} : { reason }),
    refundedToBalance: true,
    newAvailableBalance: available.text,
  });
  await audit(tx, {
    action: 'WITHDRAWAL_CANCELED',
    resourceId: canceled.id,
    before: { status: withdrawal.status },
    after: {
      status: canceled.status,
      amount: canceled.amount.text,
      canceledBy,
      errorCode,
      isConfirmed,
    },
    reason: reason ?? undefined,
  });
  return canceled;
}

/**
 * A completed payout came back: the recipient's bank has returned it. The withdrawal stays
 * completed and shows it. The caller has locked it. True when the user did not have it yet.
 */
export async function returnCompleted(
  tx: Tx,
  withdrawal: Withdrawal,
  { status, reason }: { readonly status: string; readonly reason: string | null },
): Promise<boolean> {
  const returned = await returnWithdrawal(tx, withdrawal);
  if (returned === 0n) return false;
  const { id, currency } = withdrawal;
  await giveUseBack(tx, id);
  const amount = minorText(returned);
  const returnedAt = instantText(tx.now);
  await emit(tx, 'withdrawal.returned', id, {
    ...payloadOf(withdrawal),
    amount,
    currency,
    returnedAt,
  });
  await audit(tx, {
    action: 'WITHDRAWAL_RETURNED',
    resourceId: id,
    after: { amount, currency, providerStatus: status },
    reason: reason ?? undefined,
  });
  return true;
}

/**
 * The payout was made, although a notification called it failed or canceled: the user does not have
 * its money twice. The withdrawal stays ended as it is. True when there was something to take.
 */
export async function retakeReturned(
  tx: Tx,
  withdrawal: Withdrawal,
  reason: string,
): Promise<boolean> {
  const retaken = await retakeWithdrawal(tx, withdrawal);
  if (retaken === 0n) return false;
  const { id, currency } = withdrawal;
  await audit(tx, {
    action: 'WITHDRAWAL_RETAKEN',
    resourceId: id,
    after: { amount: minorText(retaken), currency },
    reason,
  });
  return true;
}

function payloadOf({ id, userId, amount }: Withdrawal) {
  return { withdrawalId: id, userId, amount: amount.text };
}
