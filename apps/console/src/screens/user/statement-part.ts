//! Cuts a statement to what a page can draw, and detects newer changes of the balance.
import type { Balance, Statement, StatementLine } from '@holdfast/sdk';

/** What a page draws at once; a busy user has a hundred thousand in a quarter. */
export const LINES_SHOWN = 300;

interface Part {
  /** The newest, in their order. */
  readonly lines: readonly StatementLine[];
  /** The balance before the first of them. */
  readonly before: string;
}

export function isLong({ lines }: Pick<Statement, 'lines'>): boolean {
  return lines.length > LINES_SHOWN;
}

export function newestPart({ lines, opening }: Pick<Statement, 'lines' | 'opening'>): Part {
  const hidden = Math.max(0, lines.length - LINES_SHOWN);
  return { lines: lines.slice(hidden), before: (lines[hidden - 1]?.balance ?? opening).total };
}

/** Whether reading it again would give more lines. `isUntilNow`: it was read without an end. */
export function hasNewer(
  { to, closing }: Pick<Statement, 'to' | 'closing'>,
  balance: Pick<Balance, 'available' | 'reserved' | 'updatedAt'>,
  isUntilNow: boolean,
): boolean {
  if (Date.parse(balance.updatedAt) >= Date.parse(to)) return isUntilNow;
  // Changes that cancel each other out are detected by their time, above.
  return closing.available !== balance.available || closing.reserved !== balance.reserved;
}
