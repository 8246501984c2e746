//! Applies the payment provider's notifications about a top-up's pay-in.
import type { TopupId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { type Transactor, transact } from '../../platform/database/transact.ts';
import type { ApplyResult, MarkNotification } from '../../providers/notification.ts';
import type { PayinNotification } from '../../providers/payments/payment-notification.ts';
import { applyNotification } from './by-notification.ts';
import { observationOfNotification } from './payin-observation.ts';
import { lockTopup } from './topup.ts';

/**
 * Runs in one transaction with the mark on the notification. Read committed is enough: the top-up's
 * row is locked first and holds everything that decides.
 */
export async function applyPayinNotification(
  app: Transactor,
  call: Call,
  topupId: TopupId,
  notification: PayinNotification,
  mark: MarkNotification,
): Promise<ApplyResult> {
  return transact(
    app,
    call,
    async (tx) => {
      const topup = await lockTopup(tx, topupId);
      const verdict = await applyNotification(
        app,
        tx,
        topup,
        observationOfNotification(topup, notification),
      );
      if (verdict.kind === 'applied') await mark(tx, 'APPLIED');
      if (verdict.kind === 'superseded') await mark(tx, 'SUPERSEDED');
      return verdict;
    },
    'read committed',
  );
}
