//! What the payment provider tells about a pay-in or a pay-out, whichever of its two forms it uses.
import type { Instant } from '@holdfast/kernel/clock';
import type { PayinStatus, PayoutStatus } from './payment-provider.ts';

interface Told<Type extends string, Status extends string> {
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
  /** What the type means, in the words of the adapter. */
  readonly status: Status;
  readonly reasonCode: string | null;
  readonly reasonDescription: string | null;
}

export type PayinNoticeType =
  | 'payin.created'
  | 'payin.awaiting_user_confirmation'
  | 'payin.processing'
  | 'payin.succeeded'
  | 'payin.failed'
  | 'payin.canceled';

export type PayoutNoticeType =
  | 'payout.created'
  | 'payout.committed'
  | 'payout.pending'
  | 'payout.pending_user_action'
  | 'payout.completed'
  | 'payout.failed'
  | 'payout.canceled';

export type PayinNotice = Told<PayinNoticeType, PayinStatus>;
export type PayoutNotice = Told<PayoutNoticeType, PayoutStatus>;
export type PaymentNotice = PayinNotice | PayoutNotice;

export function isPayoutNotice(notice: PaymentNotice): notice is PayoutNotice {
  return notice.type.startsWith('payout.');
}
