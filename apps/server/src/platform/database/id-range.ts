//! The ids that a page of a list may show. Ids start with their time, so filters by time are a
//! range of the key that orders the list.
import { type Instant, readInstant } from '@holdfast/kernel/clock';
import { idFloor, type Prefix } from '@holdfast/kernel/ids';

/** The filters by time that every list has. */
export interface CreatedFilter {
  readonly createdAfter?: string;
  readonly createdBefore?: string;
}

export interface IdRange {
  readonly from: string;
  /** Where the time ends. */
  readonly end: string;
  /** Where a page ends that starts with the newest: at the time's end, or at the page before. */
  readonly below: string;
}

/** The same filters, for a list that no id orders. */
export function periodOf({ createdAfter, createdBefore }: CreatedFilter): {
  readonly from: Instant;
  readonly until: Instant;
} {
  const bound = (text: string | undefined, otherwise: Instant) =>
    text === undefined ? otherwise : (readInstant(text) ?? 0);
  return { from: bound(createdAfter, 0), until: bound(createdBefore, Number.POSITIVE_INFINITY) };
}

/**
 * Both bounds are always given: with optional ones the planner would read from the newest row on,
 * for every page.
 */
export function idRange(
  prefix: Prefix,
  { createdAfter, createdBefore }: CreatedFilter,
  after: string | null,
): IdRange {
  const floor = (text: string | undefined, otherwise: string) =>
    text === undefined ? otherwise : idFloor(prefix, readInstant(text) ?? 0);
  const from = floor(createdAfter, idFloor(prefix, 0));
  // Sorts after every id.
  const end = floor(createdBefore, `${prefix}_~`);
  return { from, end, below: after !== null && after < end ? after : end };
}
