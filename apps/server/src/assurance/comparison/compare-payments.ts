//! Compares the payment provider's record of a pay-in or payout with ours. Pure, one pair at a
//! time.
//!
//! Money decides: the amount by which the provider's record moved its balance, against the amount
//! that our books moved through the clearing account. Statuses are compared after that.
import type { Instant } from '@holdfast/kernel/clock';
import type { Currency } from '@holdfast/kernel/currency';
import { minorText } from '@holdfast/kernel/money';
import { stroopsOfMinor } from '../../providers/network/stroops.ts';
import type { ListedPayment } from '../../providers/payments/payment-provider.ts';
import { agreed, type Cause, type Finding, found } from './finding.ts';

export type PaymentKind = 'payin' | 'payout';

/** The compared part of our record. */
export interface OwnPayment {
  readonly id: string;
  readonly status: string;
  /** No further change is expected. */
  readonly isFinal: boolean;
  readonly currency: Currency;
  readonly amountMinor: bigint;
  /** The amount that the books have moved for it: positive to us, negative from us. */
  readonly bookedMinor: bigint;
  /** A notification was believed, and the provider's record with its fee has not been read yet. */
  readonly awaitsRecord: boolean;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

export interface PaymentPair {
  readonly kind: PaymentKind;
  /** Undefined: we have no record of it. */
  readonly ours: OwnPayment | undefined;
  /** Undefined: the provider has none. */
  readonly theirs: ListedPayment | undefined;
  /** The amount posted earlier to resolve this very difference, in cents. */
  readonly resolvedMinor: bigint;
  /** The withdrawal named by a payout that has no record of its own. */
  readonly doubles: string | null;
  /** Younger changes may still be in transit between the two sides. */
  readonly settledBefore: Instant;
}

const MOVED = { payin: 'confirmed', payout: 'completed' } as const;
const ENDED: ReadonlySet<string> = new Set([
  'confirmed',
  'reversed',
  'completed',
  'failed',
  'canceled',
]);
const RESOURCE = { payin: 'TopUp', payout: 'Withdrawal' } as const;

/** The amount by which the provider's record has moved its balance. */
export function movedMinor(kind: PaymentKind, theirs: ListedPayment | undefined): bigint {
  // The whole payment was taken back, and the fee stays with the provider.
  if (theirs?.status === 'reversed') return theirs.amountMinor - theirs.grossMinor;
  if (theirs?.status !== MOVED[kind]) return 0n;
  return kind === 'payin' ? theirs.amountMinor : -theirs.amountMinor;
}

/** The amount that the provider has moved and our books have not. */
export function driftMinor({ kind, ours, theirs, resolvedMinor }: PaymentPair): bigint {
  return movedMinor(kind, theirs) - (ours?.bookedMinor ?? 0n) - resolvedMinor;
}

export function comparePayment(pair: PaymentPair): Finding {
  const { ours, theirs } = pair;
  const drift = driftMinor(pair);
  const currency = ours?.currency ?? 'USD';
  const size = stroopsOfMinor(theirs?.amountMinor ?? ours?.amountMinor ?? 0n);
  if (drift === 0n && !contradicts(pair)) {
    const isUnderWay = !(ours?.isFinal ?? true) || (theirs && !ENDED.has(theirs.status));
    return agreed(isUnderWay ? 'inFlight' : 'matched', currency, size);
  }
  if (isOnItsWay(pair)) return agreed('inFlight', currency, size);
  return found({
    key: keyOf(pair),
    cause: causeOf(pair),
    currency,
    stroops: stroopsOfMinor(drift),
    clearing: 'payment_clearing',
    resourceType: ours !== undefined || pair.doubles !== null ? RESOURCE[pair.kind] : null,
    resourceId: ours?.id ?? pair.doubles,
    ours: ours === undefined ? null : ownFacts(ours),
    theirs: theirs === undefined ? null : theirFacts(theirs),
    recordAt: theirs?.createdAt ?? ours?.createdAt ?? null,
  });
}

/** The money agrees, but one side has ended and the other has not. */
function contradicts({ ours, theirs }: PaymentPair): boolean {
  if (ours === undefined || theirs === undefined) return false;
  return ENDED.has(theirs.status) && !ours.isFinal;
}

/** Ours is open, or theirs has just changed: a notification or a poll will settle it. */
function isOnItsWay({ ours, theirs, settledBefore }: PaymentPair): boolean {
  if (ours?.awaitsRecord === true && theirs !== undefined) return true;
  const changedAt = Math.max(theirs?.updatedAt ?? 0, ours?.updatedAt ?? 0);
  return changedAt >= settledBefore && ours !== undefined;
}

function causeOf({ kind, ours, theirs, doubles }: PaymentPair): Cause {
  if (theirs === undefined)
    return kind === 'payin' ? 'PAYIN_MISSING_THERE' : 'PAYOUT_MISSING_THERE';
  if (ours === undefined) {
    if (doubles !== null) return 'PAYOUT_DOUBLED';
    return kind === 'payin' ? 'PAYIN_MISSING_HERE' : 'PAYOUT_MISSING_HERE';
  }
  const moved = movedMinor(kind, theirs);
  return moved !== 0n && ours.bookedMinor !== 0n ? 'AMOUNT_MISMATCH' : 'STATUS_MISMATCH';
}

/** By the provider's id where there is one: two payouts for one withdrawal are two records. */
export function keyOf({
  kind,
  ours,
  theirs,
}: Pick<PaymentPair, 'kind' | 'ours' | 'theirs'>): string {
  return `${kind}:${ours?.id ?? theirs?.id ?? ''}`;
}

function ownFacts({ id, status, amountMinor, bookedMinor, currency }: OwnPayment): object {
  const booked = minorText(bookedMinor);
  return { id, status, amount: minorText(amountMinor), booked, currency };
}

function theirFacts({ id, code, vendorStatus, amountMinor, note }: ListedPayment): object {
  return { id, code, status: vendorStatus, amount: minorText(amountMinor), note };
}
