//! What a planted fault is.
import type { JournalEntry } from '../journal.ts';
import type { Outside } from '../outside.ts';

export interface Fault {
  readonly name: string;
  /** Run by the owner of the tables, inside a transaction that is rolled back. */
  readonly plant: string;
  /** What is done to the journal of the outside world. */
  readonly journal?: (entries: readonly JournalEntry[]) => readonly JournalEntry[];
  /** What is done to all else that it shows. */
  readonly outside?: (world: Outside) => Outside;
  /** Exactly these invariants report it; the first one names the row. */
  readonly by: readonly string[];
  /** A query for the text that names it, asked before the fault is planted. */
  readonly names: string;
}
