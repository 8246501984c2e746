//! Types and steps shared by both ways of paying a withdrawal out.
import type { WithdrawalId } from '@holdfast/kernel/ids';
import type { Cashier } from '../../accounts/custody/send-payments.ts';
import type { SagaRun } from '../../engine/saga.ts';
import type { Tx } from '../../platform/database/transact.ts';
import type { Refused } from '../../providers/outcome.ts';
import type { PaymentProvider } from '../../providers/payments/payment-provider.ts';
import type { ShareSettings } from '../mirror/treasury-share.ts';
import { failWithdrawal } from './end-withdrawal.ts';
import { hasEnded, lockWithdrawal, type Withdrawal } from './withdrawal.ts';

export interface PayoutWorker extends Cashier, ShareSettings {
  /** Undefined where none is configured. */
  readonly payments: PaymentProvider | undefined;
}

export type PayoutRun = SagaRun<PayoutWorker>;

/** The result of a withdrawal's saga. */
export interface PayoutResult {
  readonly status: Withdrawal['status'];
}

/** A definite refusal: releases the hold, unless the withdrawal has already ended. */
export async function giveBack(
  tx: Tx,
  withdrawalId: WithdrawalId,
  { code, reason }: Refused,
): Promise<PayoutResult> {
  const withdrawal = await lockWithdrawal(tx, withdrawalId);
  if (!hasEnded(withdrawal))
    await failWithdrawal(tx, withdrawal, { reason, errorCode: code }, { nextPollAt: null });
  return resultOf(tx, withdrawalId);
}

export async function resultOf(tx: Tx, withdrawalId: WithdrawalId): Promise<PayoutResult> {
  const { status } = await lockWithdrawal(tx, withdrawalId);
  return { status };
}
