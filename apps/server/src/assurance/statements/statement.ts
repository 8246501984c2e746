//! The parts of a statement, and its sum rule: line by line, and as a whole before it is sent.

import type { STATEMENT_SUBJECTS } from '@holdfast/contract/enums';
import { refuse } from '@holdfast/contract/errors';
import { assert } from '@holdfast/kernel/assert';
import type { Instant } from '@holdfast/kernel/clock';
import type { Currency } from '@holdfast/kernel/currency';

/** Both parts of a balance, or of what changed it: in minor units, signed. */
export interface Sums {
  readonly available: bigint;
  readonly reserved: bigint;
}

export interface StatementLine {
  readonly entryId: string;
  readonly at: Instant;
  readonly kind: string;
  readonly subjectId: string | null;
  readonly reference: string | null;
  readonly note: string | null;
  readonly change: Sums;
  readonly balance: Sums;
}

export interface Statement {
  readonly subjectType: (typeof STATEMENT_SUBJECTS)[number];
  readonly subjectId: string | null;
  readonly currency: Currency;
  readonly from: Instant | null;
  readonly to: Instant;
  readonly opening: Sums;
  readonly closing: Sums;
  readonly lines: AsyncIterable<StatementLine>;
}

export const NOTHING: Sums = { available: 0n, reserved: 0n };

export const LINES_MAX = 100_000;

export const plus = (one: Sums, other: Sums): Sums => ({
  available: one.available + other.available,
  reserved: one.reserved + other.reserved,
});

export const areEqual = (one: Sums, other: Sums): boolean =>
  one.available === other.available && one.reserved === other.reserved;

/** Checked before the first byte is sent: a statement that does not balance is not started. */
export function checkSums(opening: Sums, changes: Sums, closing: Sums): void {
  if (areEqual(plus(opening, changes), closing)) return;
  refuse('STATEMENT_UNBALANCED', {
    reason: 'opening balance plus lines does not equal the closing balance',
  });
}

export function checkLength(lines: number): void {
  if (lines > LINES_MAX) refuse('STATEMENT_TOO_LONG', { lines, maximum: LINES_MAX });
}

/** The sums were checked before; a line that breaks them now aborts the response. */
export async function* checkedLines(
  opening: Sums,
  closing: Sums,
  lines: AsyncIterable<StatementLine>,
): AsyncIterable<StatementLine> {
  let balance = opening;
  for await (const line of lines) {
    balance = plus(balance, line.change);
    assert(areEqual(balance, line.balance), 'every line starts where the one before ended');
    yield line;
  }
  assert(areEqual(balance, closing), 'the last line ends at the closing balance');
}
