//! Lists entries of the journal, newest first: GET /ledger/entries.
import type { Call } from '../../platform/call.ts';
import { type Page, type PageQuery, pageOf } from '../../platform/database/page.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { type BookEntry, type EntryFilter, listEntries } from './book-entry.ts';

export async function listBookEntries(
  app: Transactor,
  call: Call,
  query: PageQuery & EntryFilter,
): Promise<Page<BookEntry>> {
  return read(app, call, async (tx) =>
    pageOf(query, (after, count) => listEntries(tx, query, after, count)),
  );
}
