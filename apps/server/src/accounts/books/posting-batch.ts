//! Many postings as the arguments of one call of books.post_batch.
import type { AuditId, ReservationId } from '@holdfast/kernel/ids';
import { quotedField, rowArray } from '../../platform/database/sql-array.ts';
import type { Posting } from './posting.ts';

export interface QueuedPosting extends Posting {
  readonly auditId: AuditId;
  readonly reservationId: ReservationId | null;
}

export const POST_BATCH = {
  name: 'post-batch',
  text: 'select * from books.post_batch($1, $2, $3, $4)',
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
    rowArray(batch, postingRequest),
  ];
}

/** The fields of books.posting_request, in its order. Only text from outside needs quotes. */
function postingRequest(posting: QueuedPosting): string {
  const { account, client } = posting;
  return (
    `${posting.kind},${posting.marketplace},${account.id},${account.ownerId},${account.currency},` +
    `${posting.house ?? ''},${posting.amount},${quotedField(posting.subject)},${posting.actorId},` +
    `${quotedField(posting.correlationId)},${quotedField(posting.reference)},` +
    `${quotedField(posting.note)},${posting.scopeHash ?? ''},${posting.requestHash ?? ''},` +
    `${posting.auditId},${posting.reservationId ?? ''},${client?.address ?? ''},` +
    quotedField(client?.userAgent ?? null)
  );
}
