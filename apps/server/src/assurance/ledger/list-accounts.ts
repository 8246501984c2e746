//! Lists accounts of the books: GET /ledger/accounts.
import type { Instant } from '@holdfast/kernel/clock';
import type { Call } from '../../platform/call.ts';
import { type Page, type PageQuery, pageOf } from '../../platform/database/page.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import {
  type AccountFilter,
  accountName,
  type BookAccount,
  listBookAccounts,
  readAccountName,
} from './book-account.ts';

export interface NamedAccount extends BookAccount {
  readonly id: string;
  /** The time of the balance. */
  readonly at: Instant;
}

export async function listAccounts(
  app: Transactor,
  call: Call,
  query: PageQuery & AccountFilter,
): Promise<Page<NamedAccount>> {
  return read(app, call, async (tx) =>
    pageOf(query, async (after, count) => {
      const from = after === null ? null : readAccountName(after);
      const found = await listBookAccounts(tx, query, from, count);
      return found.map((each) => ({ ...each, id: accountName(each), at: tx.now }));
    }),
  );
}
