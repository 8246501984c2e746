//! Applies the payment provider's notifications about a top-up's pay-in.
import type { TopupId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { read, type Transactor, transact } from '../../platform/database/transact.ts';
import type { ApplyResult, MarkNotification } from '../../providers/notification.ts';
import type { PayinNotification } from '../../providers/payments/payment-notification.ts';
import type { PaymentProvider } from '../../providers/payments/payment-provider.ts';
import { recordInTime } from '../../providers/payments/record-in-time.ts';
import { applyNotification } from './by-notification.ts';
import {
  observationOfNotification,
  observationOfRecord,
  type PayinObservation,
} from './payin-observation.ts';
import { findTopup, lockTopup } from './topup.ts';

interface PayinApplier extends Transactor {
  readonly payments: PaymentProvider | undefined;
}

/**
 * Runs in one transaction with the mark on the notification. Read committed is enough: the top-up's
 * row is locked first and holds everything that decides.
 */
export async function applyPayinNotification(
  app: PayinApplier,
  call: Call,
  topupId: TopupId,
  notification: PayinNotification,
  mark: MarkNotification,
): Promise<ApplyResult> {
  const record = await findRecord(app, call, topupId, notification);
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
        record,
      );
      if (verdict.kind === 'applied') await mark(tx, 'APPLIED');
      if (verdict.kind === 'superseded') await mark(tx, 'SUPERSEDED');
      return verdict;
    },
    'read committed',
  );
}

/**
 * The provider's record of a payment that a notification reports as received. Undefined where it
 * does not matter any more, or the provider has not replied in time.
 */
async function findRecord(
  app: PayinApplier,
  call: Call,
  topupId: TopupId,
  { status }: PayinNotification,
): Promise<PayinObservation | undefined> {
  const { payments } = app;
  if (payments === undefined || status !== 'confirmed') return undefined;
  const topup = await read(app, call, (tx) => findTopup(tx, topupId));
  if (topup === undefined || topup.received !== null) return undefined;
  const record = await recordInTime(payments.findPayin(topupId));
  return record === null ? undefined : observationOfRecord(record);
}
