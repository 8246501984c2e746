//! The payment provider's notification about a pay-in or a payout, in either of its two forms.
import type { Instant } from '@holdfast/kernel/clock';
import type { PayinStatus, PayoutStatus } from './payment-provider.ts';

interface ProviderNotification<Type extends string, Status extends string> {
  /** Unique for ever: a repeat carries the same. */
  readonly eventId: string;
  readonly type: Type;
  readonly occurredAt: Instant | null;
  /** The provider's id, or ours: either finds the record. */
  readonly id: string | null;
  /** Our id. */
  readonly code: string | null;
  /** Whole cents; null where it does not say. */
  readonly amountMinor: bigint | null;
  /** As the provider wrote it; null where it does not say. */
  readonly currency: string | null;
  /** The meaning of the type, in the adapter's words. */
  readonly status: Status;
  readonly reasonCode: string | null;
  readonly reasonDescription: string | null;
}

export type PayinNotificationType =
  | 'payin.created'
  | 'payin.awaiting_user_confirmation'
  | 'payin.processing'
  | 'payin.succeeded'
  | 'payin.failed'
  | 'payin.canceled';

export type PayoutNotificationType =
  | 'payout.created'
  | 'payout.committed'
  | 'payout.pending'
  | 'payout.pending_user_action'
  | 'payout.completed'
  | 'payout.failed'
  | 'payout.canceled';

export type PayinNotification = ProviderNotification<PayinNotificationType, PayinStatus>;
export type PayoutNotification = ProviderNotification<PayoutNotificationType, PayoutStatus>;
export type PaymentNotification = PayinNotification | PayoutNotification;

export function isPayoutNotification(
  notification: PaymentNotification,
): notification is PayoutNotification {
  return notification.type.startsWith('payout.');
}
