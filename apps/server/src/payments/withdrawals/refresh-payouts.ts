//! Polls payouts in progress when they are due: a background job that finishes them all even if no
//! webhook arrives.
//!
//! It is not an operation: a recipient may take three months. An open operation would block the
//! withdrawal and keep the engine busy. The next poll time is in the withdrawal's own row and is
//! moved before the poll, so a crash loses nothing.
import type { WithdrawalId } from '@holdfast/kernel/ids';
import { systemCall } from '../../platform/call.ts';
import type { RowNumber } from '../../platform/database/database.ts';
import { transact } from '../../platform/database/transact.ts';
import { mapAtOnce } from '../../platform/semaphore.ts';
import type { PaymentProvider } from '../../providers/payments/payment-provider.ts';
import { applyPayout } from './apply-payout.ts';
import { fetchPayout, isPollable } from './fetch-payout.ts';
import { claimPoll, type DuePayout, listDuePayouts } from './payout-poll.ts';
import type { PayoutPollDeps } from './refresh-withdrawal.ts';
import { lockWithdrawal } from './withdrawal.ts';

const PAYOUTS_MAX = 100;
const AT_ONCE = 4;

/** Any number of workers may run it: one worker claims each poll. Returns how many were due. */
export async function refreshPayouts(app: PayoutPollDeps): Promise<number> {
  const { payments } = app;
  if (payments === undefined) return 0;
  const due = await listDuePayouts(app.pool, PAYOUTS_MAX, app.clock.now());
  await mapAtOnce(AT_ONCE, due, (each) => refreshOne(app, payments, each));
  return due.length;
}

/** Never throws: a poll that fails is due again later. */
async function refreshOne(
  app: PayoutPollDeps,
  payments: PaymentProvider,
  { marketplace, withdrawalId }: DuePayout,
): Promise<void> {
  try {
    await poll(app, payments, marketplace, withdrawalId);
  } catch (error) {
    app.log.warn({ withdrawalId, err: error }, 'payout poll failed');
  }
}

async function poll(
  app: PayoutPollDeps,
  payments: PaymentProvider,
  marketplace: RowNumber,
  withdrawalId: WithdrawalId,
): Promise<void> {
  const call = systemCall(marketplace);
  const withdrawal = await transact(
    app,
    call,
    (tx) => claimPoll(tx, withdrawalId),
    'read committed',
  );
  if (withdrawal === undefined || !isPollable(withdrawal)) return;
  const found = await fetchPayout(payments, app.log, withdrawal);
  if (found.kind !== 'done') {
    app.log.debug({ withdrawalId, reason: found.reason }, 'payout lookup failed');
    return;
  }
  const { value: observation } = found;
  if (observation === undefined) return;
  await transact(app, call, async (tx) =>
    applyPayout(tx, app.log, await lockWithdrawal(tx, withdrawalId), observation),
  );
}
