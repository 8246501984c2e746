//! A balance request to the books, and its outcome.
import type { Instant } from '@holdfast/kernel/clock';
import type { Currency } from '@holdfast/kernel/currency';
import type { Client } from '../../platform/call.ts';
import type { RowNumber } from '../../platform/database/database.ts';

/** `spend` consumes reserved money for good; `cancel` frees every manual hold of one order. */
export type PostingKind = 'credit' | 'debit' | 'reserve' | 'unreserve' | 'spend' | 'cancel';

export interface BookAccount {
  readonly id: RowNumber;
  readonly ownerId: string;
  readonly currency: Currency;
}

export interface Posting {
  readonly kind: PostingKind;
  readonly marketplace: RowNumber;
  readonly account: BookAccount;
  /** The house account on the other side; null when money stays within the account. */
  readonly house: RowNumber | null;
  readonly amount: bigint;
  /** The order a hold is tagged with. */
  readonly subject: string | null;
  readonly actorId: string;
  readonly correlationId: string;
  readonly reference: string | null;
  readonly note: string | null;
  readonly scopeHash: string | null;
  /** The content of the request; needed with an Idempotency-Key or a reference. */
  readonly requestHash: string | null;
  /** Where the request came from; undefined for work that no request waits for. */
  readonly client: Client | undefined;
}

export type Posted =
  | {
      readonly result: 'done';
      readonly entryId: RowNumber;
      readonly available: bigint;
      readonly reserved: bigint;
      readonly at: Instant;
    }
  | {
      readonly result: 'refused';
      readonly refusal: PostingRefusal;
      readonly have: bigint;
      readonly reason: string | null;
    }
  /** The Idempotency-Key was seen before: with an entry, or with a refusal. */
  | {
      readonly result: 'replayed';
      readonly requestHash: string;
      readonly entryId: RowNumber | null;
      readonly refusal: PostingRefusal | null;
      readonly have: bigint;
      readonly reason: string | null;
    }
  /** The reference was seen before. */
  | { readonly result: 'repeated'; readonly requestHash: string; readonly entryId: RowNumber };

export type PostingRefusal =
  | 'INSUFFICIENT_FUNDS'
  | 'RESERVATION_EXCEEDED'
  | 'INVALID_RESERVED_DEDUCTION'
  | 'RESERVATION_NOT_FOUND'
  | 'ADJUSTMENT_LIMIT'
  | 'BALANCE_CEILING'
  | 'REFERENCE_REUSED'
  | 'MARKETPLACE_FROZEN';
