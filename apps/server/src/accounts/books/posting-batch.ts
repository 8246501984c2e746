//! Many postings as the arguments of one call of books.post_batch.
import type { AuditId, ReservationId } from '@holdfast/kernel/ids';
import { plainArray, quotedArray } from '../../platform/database/sql-array.ts';
import type { Posting } from './posting.ts';

export interface QueuedPosting extends Posting {
  readonly auditId: AuditId;
  readonly reservationId: ReservationId | null;
}

const ARGUMENTS = 19;

export const POST_BATCH = {
  name: 'post-batch',
  text: `select * from books.post_batch(${Array.from({ length: ARGUMENTS }, (_, at) => `$${at + 1}`).join(',')})`,
};

/** The arguments of POST_BATCH, in its order. */
export function batchArguments(
  batch: readonly QueuedPosting[],
  now: string,
  defaultLimit: bigint | null,
  isExact: boolean,
): unknown[] {
  return [
    now,
    defaultLimit === null ? null : String(defaultLimit),
    isExact,
    plainArray(batch, (posting) => posting.kind),
    plainArray(batch, (posting) => posting.marketplace),
    plainArray(batch, (posting) => posting.account.id),
    plainArray(batch, (posting) => posting.account.ownerId),
    plainArray(batch, (posting) => posting.account.currency),
    plainArray(batch, (posting) => posting.house),
    plainArray(batch, (posting) => posting.amount),
    quotedArray(batch, (posting) => posting.subject),
    plainArray(batch, (posting) => posting.actorId),
    quotedArray(batch, (posting) => posting.correlationId),
    quotedArray(batch, (posting) => posting.reference),
    quotedArray(batch, (posting) => posting.note),
    plainArray(batch, (posting) => posting.scopeHash),
    plainArray(batch, (posting) => posting.requestHash),
    plainArray(batch, (posting) => posting.auditId),
    plainArray(batch, (posting) => posting.reservationId),
  ];
}
