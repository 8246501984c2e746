//! Gets an entry with both sides, and its related entries: GET /ledger/entries/{id}.
import { refuse } from '@holdfast/contract/errors';
import type { Call } from '../../platform/call.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { type BookEntry, findEntries, listEntries } from './book-entry.ts';

const RELATED_MAX = 50;

export interface EntryDetail {
  readonly entry: BookEntry;
  /** Oldest first. */
  readonly related: readonly BookEntry[];
}

export async function getEntry(app: Transactor, call: Call, entryId: string): Promise<EntryDetail> {
  return read(app, call, async (tx) => {
    const [entry] = await findEntries(tx, [{ id: entryId }]);
    if (entry === undefined) return refuse('ENTRY_NOT_FOUND', { entryId });
    const { subjectId } = entry;
    const all = subjectId === null ? [] : await listEntries(tx, { subjectId }, null, RELATED_MAX);
    return { entry, related: all.filter(({ id }) => id !== entry.id).reverse() };
  });
}
