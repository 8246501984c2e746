//! Fetches a payout from the provider and applies it: POST /withdrawals/{id}/refresh.
import { refuse } from '@holdfast/contract/errors';
import type { WithdrawalId } from '@holdfast/kernel/ids';
import { findOpenOperation } from '../../engine/operation.ts';
import type { Call } from '../../platform/call.ts';
import { read, type Transactor, transact } from '../../platform/database/transact.ts';
import { shownTo } from '../../platform/mask.ts';
import type { PaymentProvider } from '../../providers/payments/payment-provider.ts';
import { applyPayout, type PayoutObservation } from './apply-payout.ts';
import { fetchPayout, isPollable } from './fetch-payout.ts';
import { findWithdrawal, lockWithdrawal, type Withdrawal } from './withdrawal.ts';

export interface PayoutPollDeps extends Transactor {
  /** Undefined where none is configured. */
  readonly payments: PaymentProvider | undefined;
}

export async function refreshWithdrawal(
  app: PayoutPollDeps,
  call: Call,
  withdrawalId: WithdrawalId,
): Promise<Withdrawal> {
  // Thrown only after the idempotency key is checked: a repeat returns the stored response.
  const observation = await fetchObservation(app, call, withdrawalId).catch(
    (error: Error) => error,
  );
  return transact(app, call, async (tx) => {
    if (observation instanceof Error) throw observation;
    const withdrawal = await lockWithdrawal(tx, withdrawalId);
    if (observation === undefined) return shownTo(tx.actor, withdrawal);
    await applyPayout(tx, app.log, withdrawal, observation);
    return shownTo(tx.actor, await lockWithdrawal(tx, withdrawalId));
  });
}

async function fetchObservation(
  app: PayoutPollDeps,
  call: Call,
  withdrawalId: WithdrawalId,
): Promise<PayoutObservation | undefined> {
  const withdrawal =
    (await read(app, call, (tx) => findWithdrawal(tx, withdrawalId))) ??
    refuse('WITHDRAWAL_NOT_FOUND', { withdrawalId });
  if (!isPollable(withdrawal)) return undefined;
  const { payments, log } = app;
  if (payments === undefined)
    return refuse('SERVICE_UNAVAILABLE', { reason: 'no payment provider is configured' });
  const found = await fetchPayout(payments, log, withdrawal);
  if (found.kind === 'done') return found.value;
  const open = await read(app, call, (tx) => findOpenOperation(tx, withdrawalId));
  return refuse('PROVIDER_TIMEOUT', { operationId: open?.id ?? null });
}
