//! Lists the entries of an account, newest first: GET /ledger/accounts/{id}/entries.
import { refuse } from '@holdfast/contract/errors';
import type { Call } from '../../platform/call.ts';
import { type Page, type PageQuery, pageSizeOf } from '../../platform/database/page.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { findBookAccount, readAccountName } from './book-account.ts';
import { type BookEntry, listAccountEntries } from './book-entry.ts';

export async function listEntriesOfAccount(
  app: Transactor,
  call: Call,
  id: string,
  query: PageQuery,
): Promise<Page<BookEntry>> {
  return read(app, call, async (tx) => {
    const found =
      (await findBookAccount(tx, readAccountName(id))) ??
      refuse('ACCOUNT_NOT_FOUND', { accountId: id });
    const limit = pageSizeOf(query);
    const entries = await listAccountEntries(tx, found, query.cursor ?? null, limit + 1);
    const items = entries.slice(0, limit);
    const hasMore = entries.length > limit;
    return { items, hasMore, nextCursor: hasMore ? (items.at(-1)?.position ?? null) : null };
  });
}
