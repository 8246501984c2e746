//! The provider's record of a payout as a step of a saga gets, stores and applies it.
import type { WithdrawalId } from '@holdfast/kernel/ids';
import type { Tx } from '../../platform/database/transact.ts';
import { done, type Outcome, unknown } from '../../providers/outcome.ts';
import type { PaymentProvider, Payout } from '../../providers/payments/payment-provider.ts';
import { applyPayout, observationOf } from './apply-payout.ts';
import { type PayoutResult, type PayoutRun, resultOf } from './payout-run.ts';
import { lockWithdrawal } from './withdrawal.ts';

/** A payout as a step stores it, in JSON. */
export interface StoredPayout
  extends Omit<ReturnType<typeof observationOf>, 'amountMinor' | 'payoutId'> {
  readonly payoutId: string;
  readonly amountMinor: string;
}

export async function callProvider(
  { app: { payments } }: PayoutRun,
  send: (payments: PaymentProvider) => Promise<Outcome<Payout>>,
): Promise<Outcome<StoredPayout>> {
  if (payments === undefined) return unknown('no payment provider is configured');
  const outcome = await send(payments);
  if (outcome.kind !== 'done') return outcome;
  // The first caller gets an unknown outcome; a retry finds it settled.
  if (outcome.isFoundLater) return unknown('its reply was lost');
  const { id: payoutId, amountMinor } = outcome.value;
  return done({ ...observationOf(outcome.value), payoutId, amountMinor: String(amountMinor) });
}

/** Applies it to the withdrawal as it is now. */
export async function applyStored(
  tx: Tx,
  { app }: PayoutRun,
  id: WithdrawalId,
  stored: StoredPayout,
): Promise<PayoutResult> {
  // Without a row for this status: the payout was committed, so it counts as pending.
  const status = stored.status === 'unrecognised' ? 'pending' : stored.status;
  const observation = { ...stored, status, amountMinor: BigInt(stored.amountMinor) };
  await applyPayout(tx, app.log, await lockWithdrawal(tx, id), observation);
  return resultOf(tx, id);
}
