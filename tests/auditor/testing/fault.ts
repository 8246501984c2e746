//! The type of a planted fault.

import type { ExternalState } from '../external-state.ts';
import type { JournalEntry } from '../journal.ts';

export interface Fault {
  readonly name: string;
  /** Run by the owner of the tables, in a transaction that is rolled back. */
  readonly plant: string;
  /** Changes the journal of external effects. */
  readonly journal?: (entries: readonly JournalEntry[]) => readonly JournalEntry[];
  /** Changes the rest of the external state. */
  readonly external?: (world: ExternalState) => ExternalState;
  /** Exactly these invariants report it; the first one names the row. */
  readonly by: readonly string[];
  /** A query for the text that names it, run before the fault is planted. */
  readonly names: string;
}
