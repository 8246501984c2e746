//! Many postings as the arguments of one call of books.post_batch.
import type { AuditId, ReservationId } from '@holdfast/kernel/ids';
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
    plain(batch, (posting) => posting.kind),
    plain(batch, (posting) => posting.marketplace),
    plain(batch, (posting) => posting.account.id),
    plain(batch, (posting) => posting.account.ownerId),
    plain(batch, (posting) => posting.account.currency),
    plain(batch, (posting) => posting.house),
    plain(batch, (posting) => posting.amount),
    quoted(batch, (posting) => posting.subject),
    plain(batch, (posting) => posting.actorId),
    quoted(batch, (posting) => posting.correlationId),
    quoted(batch, (posting) => posting.reference),
    quoted(batch, (posting) => posting.note),
    plain(batch, (posting) => posting.scopeHash),
    plain(batch, (posting) => posting.requestHash),
    plain(batch, (posting) => posting.auditId),
    plain(batch, (posting) => posting.reservationId),
  ];
}

/**
 * A PostgreSQL array literal of values that need no quotes. By hand: the driver's way costs more.
 */
function plain<T>(rows: readonly T[], cell: (row: T) => string | bigint | null): string {
  let text = '';
  for (const row of rows) {
    const value = cell(row);
    text += value === null ? ',NULL' : `,${value}`;
  }
  return `{${text.slice(1)}}`;
}

/** The same for text from outside. */
function quoted<T>(rows: readonly T[], cell: (row: T) => string | null): string {
  let text = '';
  for (const row of rows) {
    const value = cell(row);
    text += value === null ? ',NULL' : `,"${value.replace(/["\\]/g, '\\$&')}"`;
  }
  return `{${text.slice(1)}}`;
}
