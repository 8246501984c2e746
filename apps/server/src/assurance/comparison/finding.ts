//! The result of a comparison: agreement, a difference with its cause, or money in transit.
import type { EXCEPTION_ACTIONS, EXCEPTION_CAUSES, RECONCILED } from '@holdfast/contract/enums';
import type { Instant } from '@holdfast/kernel/clock';
import type { Currency } from '@holdfast/kernel/currency';

export type Compared = (typeof RECONCILED)[number];
export type Cause = (typeof EXCEPTION_CAUSES)[number];
export type Action = (typeof EXCEPTION_ACTIONS)[number];

/** The headings under which all compared records are counted. */
export const HEADS = [
  'matched',
  'mismatched',
  'missingHere',
  'missingThere',
  'inFlight',
  'dust',
] as const;
export type Head = (typeof HEADS)[number];

/** The house account that a difference would be posted against. */
export type Clearing = 'payment_clearing' | 'network_clearing';

/** A difference between the two sides. */
export interface Difference {
  /** The same for the same record, whichever run finds it. */
  readonly key: string;
  readonly cause: Cause;
  readonly currency: Currency;
  /** The excess of the other side over our books; negative where it has less. */
  readonly stroops: bigint;
  /** Null where no posting would resolve it. */
  readonly clearing: Clearing | null;
  readonly resourceType: string | null;
  readonly resourceId: string | null;
  readonly ours: object | null;
  readonly theirs: object | null;
  /** When the record was created: a run whose window starts later does not clear it. */
  readonly recordAt: Instant | null;
}

export interface Finding {
  readonly head: Head;
  readonly currency: Currency;
  /** The counted amount, without sign. */
  readonly stroops: bigint;
  /** Undefined where no operator has to act. */
  readonly difference?: Difference;
}

const HEAD_OF: Readonly<Record<Cause, Head>> = {
  PROVIDER_BALANCE_CHANGED: 'mismatched',
  PAYIN_MISSING_HERE: 'missingHere',
  PAYIN_MISSING_THERE: 'missingThere',
  PAYOUT_MISSING_HERE: 'missingHere',
  PAYOUT_MISSING_THERE: 'missingThere',
  PAYOUT_DOUBLED: 'missingHere',
  AMOUNT_MISMATCH: 'mismatched',
  STATUS_MISMATCH: 'mismatched',
  MONEY_UNCONFIRMED: 'mismatched',
  LEDGER_PAYMENT_UNBOOKED: 'missingHere',
  ADDRESS_DIFFERENCE: 'mismatched',
  CONTRACT_DIFFERENCE: 'mismatched',
  TREASURY_DIFFERENCE: 'mismatched',
  DUST: 'dust',
};

export function found(difference: Difference): Finding {
  const { cause, currency, stroops } = difference;
  return { head: HEAD_OF[cause], currency, stroops: absolute(stroops), difference };
}

export function agreed(head: 'matched' | 'inFlight', currency: Currency, stroops: bigint): Finding {
  return { head, currency, stroops: absolute(stroops) };
}

export function absolute(stroops: bigint): bigint {
  return stroops < 0n ? -stroops : stroops;
}

/** The allowed actions for each cause, the likeliest first. Postings need whole cents. */
const ACTIONS: Readonly<Record<Cause, readonly Action[]>> = {
  PROVIDER_BALANCE_CHANGED: ['BOOK_TO_SUSPENSE', 'CHARGE_USER', 'WRITE_OFF'],
  PAYIN_MISSING_HERE: ['BOOK_TO_SUSPENSE', 'CREDIT_USER', 'WRITE_OFF'],
  PAYIN_MISSING_THERE: ['APPLY_AGAIN', 'BOOK_TO_SUSPENSE', 'CHARGE_USER', 'WRITE_OFF'],
  PAYOUT_MISSING_HERE: ['BOOK_TO_SUSPENSE', 'CHARGE_USER', 'WRITE_OFF'],
  PAYOUT_MISSING_THERE: ['APPLY_AGAIN', 'BOOK_TO_SUSPENSE', 'WRITE_OFF'],
  PAYOUT_DOUBLED: ['BOOK_TO_SUSPENSE', 'CHARGE_USER', 'WRITE_OFF'],
  AMOUNT_MISMATCH: ['APPLY_AGAIN', 'BOOK_TO_SUSPENSE', 'CHARGE_USER', 'WRITE_OFF'],
  STATUS_MISMATCH: ['APPLY_AGAIN', 'BOOK_TO_SUSPENSE', 'CHARGE_USER', 'WRITE_OFF'],
  MONEY_UNCONFIRMED: ['APPLY_AGAIN', 'CHARGE_USER', 'WRITE_OFF'],
  LEDGER_PAYMENT_UNBOOKED: ['APPLY_AGAIN'],
  ADDRESS_DIFFERENCE: ['APPLY_AGAIN', 'ACCEPT'],
  CONTRACT_DIFFERENCE: ['ACCEPT'],
  TREASURY_DIFFERENCE: ['BOOK_TO_SUSPENSE', 'WRITE_OFF', 'ACCEPT'],
  DUST: ['ACCEPT'],
};

const POSTINGS: ReadonlySet<Action> = new Set([
  'BOOK_TO_SUSPENSE',
  'CREDIT_USER',
  'CHARGE_USER',
  'WRITE_OFF',
]);

export function isPosting(action: Action): boolean {
  return POSTINGS.has(action);
}

/** A user is credited or charged, and named for that. */
export function namesUser(action: Action): boolean {
  return action === 'CREDIT_USER' || action === 'CHARGE_USER';
}

/**
 * Nothing is posted where the sums agree. A missing amount is never credited to a user, nor a
 * surplus charged.
 */
export function actionsFor({
  cause,
  stroops,
}: Pick<Difference, 'cause' | 'stroops'>): readonly Action[] {
  return ACTIONS[cause].filter((action) => {
    if (action === 'CREDIT_USER') return stroops > 0n;
    if (action === 'CHARGE_USER') return stroops < 0n;
    return !isPosting(action) || stroops !== 0n;
  });
}
