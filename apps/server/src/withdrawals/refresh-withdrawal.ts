//! Looks a pay-out up and applies what is found: POST /withdrawals/{id}/refresh.
import { refuse } from '@holdfast/contract/errors';
import type { WithdrawalId } from '@holdfast/kernel/ids';
import { findOpenOperation } from '../engine/operation.ts';
import type { Call } from '../platform/call.ts';
import { shownTo } from '../platform/mask.ts';
import { read, type Transactor, transact } from '../platform/transact.ts';
import type { PaymentProvider } from '../providers/payment-provider.ts';
import { applyPayout, type PayoutTold } from './apply-payout.ts';
import { isWorthALook, lookAtPayout } from './look-at-payout.ts';
import { findWithdrawal, lockWithdrawal, type Withdrawal } from './withdrawal.ts';

export interface PayoutLooker extends Transactor {
  /** Undefined where none is configured. */
  readonly payments: PaymentProvider | undefined;
}

export async function refreshWithdrawal(
  app: PayoutLooker,
  call: Call,
  withdrawalId: WithdrawalId,
): Promise<Withdrawal> {
  // Said only after the key was looked at, as a repeat asks nobody.
  const told = await look(app, call, withdrawalId).catch((error: Error) => error);
  return transact(app, call, async (tx) => {
    if (told instanceof Error) throw told;
    const withdrawal = await lockWithdrawal(tx, withdrawalId);
    if (told === undefined) return shownTo(tx.actor, withdrawal);
    await applyPayout(tx, app.log, withdrawal, told);
    return shownTo(tx.actor, await lockWithdrawal(tx, withdrawalId));
  });
}

async function look(
  app: PayoutLooker,
  call: Call,
  withdrawalId: WithdrawalId,
): Promise<PayoutTold | undefined> {
  const withdrawal =
    (await read(app, call, (tx) => findWithdrawal(tx, withdrawalId))) ??
    refuse('WITHDRAWAL_NOT_FOUND', { withdrawalId });
  if (!isWorthALook(withdrawal)) return undefined;
  const { payments, log } = app;
  if (payments === undefined)
    return refuse('SERVICE_UNAVAILABLE', { reason: 'no payment provider is configured' });
  const found = await lookAtPayout(payments, log, withdrawal);
  if (found.kind === 'done') return found.value;
  const open = await read(app, call, (tx) => findOpenOperation(tx, withdrawalId));
  return refuse('PROVIDER_TIMEOUT', { operationId: open?.id ?? null });
}
