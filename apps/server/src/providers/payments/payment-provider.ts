//! The interface of the payment provider. Amounts are whole cents; our own id is its `code`.
//!
//! Every call that changes something reads the record before it returns. So `done` comes with the
//! provider's own record, `refused` is a definite no, and a repeat with the same code or id is
//! always safe.
import type { Instant } from '@holdfast/kernel/clock';
import type { Outcome } from '../outcome.ts';

/** `unrecognised`: a status without a row in our table. It ends nothing. */
export type PayinStatus =
  | 'created'
  | 'processing'
  | 'confirmed'
  /** Confirmed once, and taken back by the payer's bank. */
  | 'reversed'
  | 'failed'
  | 'canceled'
  | 'unrecognised';

export type PayoutStatus =
  | 'created'
  | 'committed'
  | 'pending'
  | 'pending_user_action'
  | 'completed'
  | 'failed'
  | 'canceled'
  | 'unrecognised';

export interface PaymentAccount {
  readonly id: string;
  readonly email: string;
  readonly isActive: boolean;
  readonly isVerified: boolean;
}

export interface Payin {
  readonly id: string;
  readonly code: string;
  readonly status: PayinStatus;
  /** As the provider wrote it, for people. */
  readonly vendorStatus: string;
  readonly amountMinor: bigint;
  /** The amount that reaches the platform's balance; null when the provider does not return it. */
  readonly netMinor: bigint | null;
  /** The page for the payer. Never taken from the reply, which holds our own return address. */
  readonly checkoutUrl: string;
  readonly failureReason: string | null;
  readonly updatedAt: Instant | null;
}

/** `bank` works only where the adapter's settings say that the provider has it. */
export type PayoutRecipient = { readonly email: string } | { readonly bankRef: string };

export interface Payout {
  readonly id: string;
  readonly code: string;
  readonly status: PayoutStatus;
  readonly vendorStatus: string;
  readonly amountMinor: bigint;
  readonly recipient: PayoutRecipient;
  readonly reasonCode: string | null;
  readonly reason: string | null;
  readonly updatedAt: Instant | null;
}

export interface NewPayin {
  readonly code: string;
  readonly amountMinor: bigint;
  readonly description: string;
  readonly returnUrl: string;
  readonly cancelUrl: string;
}

export interface NewPayout {
  readonly code: string;
  readonly recipient: PayoutRecipient;
  readonly amountMinor: bigint;
  readonly note: string;
}

export interface PaymentBalance {
  readonly availableMinor: bigint;
  readonly pendingMinor: bigint;
}

/** A record of a list. It may lack our code when it was created by hand, or for another purpose. */
export interface ListedPayment<S extends string = string> {
  readonly id: string;
  readonly code: string | null;
  readonly status: S;
  /** As the provider wrote it, for people. */
  readonly vendorStatus: string;
  /** The amount by which it moves the platform's balance, once it has moved. */
  readonly amountMinor: bigint;
  /** Before the provider's fee: what a reversal takes back. */
  readonly grossMinor: bigint;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  /** The text that its creator wrote on it. */
  readonly note: string | null;
}

export type ListedPayin = ListedPayment<PayinStatus>;
export type ListedPayout = ListedPayment<PayoutStatus>;

export interface PaymentPage<T> {
  readonly items: readonly T[];
  /** Where the next page starts; null behind the last one. */
  readonly next: string | null;
}

export interface PaymentPageQuery {
  readonly after: string | null;
  readonly count: number;
}

export interface PaymentProvider {
  readonly hasBankPayouts: boolean;
  /** Refused when the provider has no account with that address. */
  findAccount(email: string): Promise<Outcome<PaymentAccount>>;
  /** Refused with `code-conflict` when the code stands for something else. */
  createPayin(payin: NewPayin): Promise<Outcome<Payin>>;
  /** Null when the provider has none by that code. */
  findPayin(code: string): Promise<Outcome<Payin | null>>;
  /** Done only when it is canceled now; refused when it ended otherwise. */
  cancelPayin(id: string): Promise<Outcome<Payin>>;
  /** Moves no money: `commitPayout` does. */
  createPayout(payout: NewPayout): Promise<Outcome<Payout>>;
  /** Done when it left its first state, by any call; the record shows its status. */
  commitPayout(id: string): Promise<Outcome<Payout>>;
  findPayout(code: string): Promise<Outcome<Payout | null>>;
  cancelPayout(id: string): Promise<Outcome<Payout>>;
  balance(): Promise<Outcome<PaymentBalance>>;
  /** Newest first, from all creators. */
  listPayins(page: PaymentPageQuery): Promise<Outcome<PaymentPage<ListedPayin>>>;
  listPayouts(page: PaymentPageQuery): Promise<Outcome<PaymentPage<ListedPayout>>>;
}

const ENDED: ReadonlySet<PayinStatus | PayoutStatus> = new Set([
  'confirmed',
  'reversed',
  'completed',
  'failed',
  'canceled',
]);

/** True when its status is final. */
export function hasEnded({ status }: { readonly status: PayinStatus | PayoutStatus }): boolean {
  return ENDED.has(status);
}
