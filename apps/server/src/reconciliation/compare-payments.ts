//! The payment provider's record of a pay-in or pay-out against ours: pure, one pair at a time.
//!
//! What decides is money: what the provider's record has moved its balance by, against what our
//! books have taken from or given to the clearing account for it. Words are compared after that.
import type { Instant } from '@holdfast/kernel/clock';
import type { Currency } from '@holdfast/kernel/currency';
import { minorText } from '@holdfast/kernel/money';
import type { ListedPayment } from '../providers/payment-provider.ts';
import { stroopsOfMinor } from '../providers/stroops.ts';
import { agreed, type Cause, type Finding, found } from './finding.ts';

export type PaymentKind = 'payin' | 'payout';

/** Our record, as far as it is compared. */
export interface OwnPayment {
  readonly id: string;
  readonly status: string;
  /** Nothing more is expected to happen to it. */
  readonly isFinal: boolean;
  readonly currency: Currency;
  readonly amountMinor: bigint;
  /** What the books have moved for it: into our hands above zero, out of them below. */
  readonly bookedMinor: bigint;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

export interface PaymentPair {
  readonly kind: PaymentKind;
  /** Undefined: we have no record of it. */
  readonly ours: OwnPayment | undefined;
  /** Undefined: the provider has none. */
  readonly theirs: ListedPayment | undefined;
  /** What was posted before to make this very thing right, in cents. */
  readonly resolvedMinor: bigint;
  /** The withdrawal that a pay-out without a record names. */
  readonly doubles: string | null;
  /** Younger changes are still on their way from one side to the other. */
  readonly settledBefore: Instant;
}

const MOVED = { payin: 'confirmed', payout: 'completed' } as const;
const ENDED: ReadonlySet<string> = new Set(['confirmed', 'completed', 'failed', 'canceled']);
const RESOURCE = { payin: 'TopUp', payout: 'Withdrawal' } as const;

/** What the provider's record has moved its balance by. */
export function movedMinor(kind: PaymentKind, theirs: ListedPayment | undefined): bigint {
  if (theirs?.status !== MOVED[kind]) return 0n;
  return kind === 'payin' ? theirs.amountMinor : -theirs.amountMinor;
}

/** What the other side has moved and our books have not. */
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

/** No money is between them, but one says that it has ended and the other does not. */
function contradicts({ ours, theirs }: PaymentPair): boolean {
  if (ours === undefined || theirs === undefined) return false;
  return ENDED.has(theirs.status) && !ours.isFinal;
}

/** Ours is open, or theirs has just changed: a notice or a look will bring it. */
function isOnItsWay({ ours, theirs, settledBefore }: PaymentPair): boolean {
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

/** By the provider's id where it has one: two pay-outs for one withdrawal are two things. */
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
