//! The result of `explain`: the record, its state, and everything that happened to it.
import type { Field } from '../terminal/table.ts';
import type { Names, TimelineItem } from '../terminal/timeline.ts';

export interface Explanation {
  readonly kind: string;
  readonly id: string;
  readonly status?: string;
  /** The record as the API has it. */
  readonly record: unknown;
  readonly fields: readonly Field[];
  /** Oldest first. */
  readonly items: readonly TimelineItem[];
  /** Names to print instead of ids. */
  readonly names?: Names;
  /** The next command to run. */
  readonly next?: string;
}

/** A record explained under its own id and status. */
export function explained<R extends { readonly id: string; readonly status?: string }>(
  kind: string,
  record: R,
  rest: Omit<Explanation, 'kind' | 'id' | 'status' | 'record'>,
): Explanation & { readonly record: R } {
  const { id, status } = record;
  return { kind, id, ...(status !== undefined && { status }), record, ...rest };
}
