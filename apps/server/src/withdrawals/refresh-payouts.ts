//! Looks at pay-outs that are on their way, at their time: a background job that finishes them all
//! where no webhook comes.
//!
//! Not an operation: one that waits for a recipient may take three months, and an open operation
//! would keep the withdrawal busy and the engine driving. The time of the next look stands in the
//! withdrawal's own row, is taken before the look, and so survives whoever dies at it.
import type { WithdrawalId } from '@holdfast/kernel/ids';
import { systemCall } from '../platform/call.ts';
import type { RowNumber } from '../platform/database.ts';
import { transact } from '../platform/transact.ts';
import type { PaymentProvider } from '../providers/payment-provider.ts';
import { applyPayout } from './apply-payout.ts';
import { isWorthALook, lookAtPayout } from './look-at-payout.ts';
import { type DuePayout, listDuePayouts, takeLook } from './payout-look.ts';
import type { PayoutLooker } from './refresh-withdrawal.ts';
import { lockWithdrawal } from './withdrawal.ts';

const PAYOUTS_MAX = 100;
const AT_ONCE = 4;

/** Any number of workers: each look is one's own. Answers how many were due. */
export async function refreshPayouts(app: PayoutLooker): Promise<number> {
  const { payments } = app;
  if (payments === undefined) return 0;
  const due = await listDuePayouts(app.pool, PAYOUTS_MAX, app.clock.now());
  const waiting = due.values();
  const lookAtMany = async () => {
    for (const each of waiting) await refreshOne(app, payments, each);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lookAtMany));
  return due.length;
}

/** Never throws: what could not be looked at now has its next time. */
async function refreshOne(
  app: PayoutLooker,
  payments: PaymentProvider,
  { marketplace, withdrawalId }: DuePayout,
): Promise<void> {
  try {
    await look(app, payments, marketplace, withdrawalId);
  } catch (error) {
    app.log.warn({ withdrawalId, reason: (error as Error).message }, 'leave payout');
  }
}

async function look(
  app: PayoutLooker,
  payments: PaymentProvider,
  marketplace: RowNumber,
  withdrawalId: WithdrawalId,
): Promise<void> {
  const call = systemCall(marketplace);
  const withdrawal = await transact(
    app,
    call,
    (tx) => takeLook(tx, withdrawalId),
    'read committed',
  );
  if (withdrawal === undefined || !isWorthALook(withdrawal)) return;
  const found = await lookAtPayout(payments, app.log, withdrawal);
  if (found.kind !== 'done') {
    app.log.debug({ withdrawalId, reason: found.reason }, 'await payout');
    return;
  }
  const { value: told } = found;
  if (told === undefined) return;
  await transact(app, call, async (tx) =>
    applyPayout(tx, app.log, await lockWithdrawal(tx, withdrawalId), told),
  );
}
