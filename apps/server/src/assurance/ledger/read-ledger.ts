//! Reads the books: accounts and entries.

import { refuse } from '@holdfast/contract/errors';
import { type Instant, readInstant } from '@holdfast/kernel/clock';
import type { Call } from '../../platform/call.ts';
import { type Page, type PageQuery, pageOf, pageSizeOf } from '../../platform/database/page.ts';
import { read, type Transactor, type Tx } from '../../platform/database/transact.ts';
import { balanceAfter, seqBefore } from '../statements/account-history.ts';
import {
  type AccountFilter,
  accountName,
  type BookAccount,
  type ChartLine,
  findBookAccount,
  houseChangeSince,
  listBookAccounts,
  readAccountName,
  sumAccounts,
} from './book-account.ts';
import {
  type BookEntry,
  type EntryFilter,
  findEntries,
  listAccountEntries,
  listEntries,
} from './book-entry.ts';

export interface Chart {
  readonly takenAt: Instant;
  readonly lines: readonly ChartLine[];
}

/** GET /ledger/chart: the sum of each kind of account. */
export async function getChart(app: Transactor, call: Call): Promise<Chart> {
  return read(app, call, async (tx) => ({ takenAt: tx.now, lines: await sumAccounts(tx) }));
}

export interface NamedAccount extends BookAccount {
  readonly id: string;
  /** The time of the balance. */
  readonly at: Instant;
}

/** GET /ledger/accounts. */
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

/** GET /ledger/accounts/{id}: with its present or past balance. */
export async function getAccount(
  app: Transactor,
  call: Call,
  id: string,
  { at }: { readonly at?: string },
): Promise<NamedAccount> {
  return read(app, call, async (tx) => {
    const found = await requireAccount(tx, id);
    const moment = at === undefined ? undefined : readInstant(at);
    if (moment === undefined || moment >= tx.now) return { ...found, id, at: tx.now };
    return { ...found, ...(await balanceAt(tx, found, moment)), id, at: moment };
  });
}

async function requireAccount(tx: Tx, id: string): Promise<BookAccount> {
  return (
    (await findBookAccount(tx, readAccountName(id))) ??
    refuse('ACCOUNT_NOT_FOUND', { accountId: id })
  );
}

/** After every entry before the moment. */
async function balanceAt(
  tx: Tx,
  found: BookAccount,
  moment: Instant,
): Promise<Pick<BookAccount, 'available' | 'reserved'>> {
  if (found.ownerId !== '')
    return balanceAfter(tx, found.number, await seqBefore(tx, found.number, moment));
  const { available, reserved } = found;
  return { available: available - (await houseChangeSince(tx, found, moment)), reserved };
}

/** GET /ledger/accounts/{id}/entries: newest first. */
export async function listEntriesOfAccount(
  app: Transactor,
  call: Call,
  id: string,
  query: PageQuery,
): Promise<Page<BookEntry>> {
  return read(app, call, async (tx) => {
    const found = await requireAccount(tx, id);
    const limit = pageSizeOf(query);
    const entries = await listAccountEntries(tx, found, query.cursor ?? null, limit + 1);
    const items = entries.slice(0, limit);
    const hasMore = entries.length > limit;
    return { items, hasMore, nextCursor: hasMore ? (items.at(-1)?.position ?? null) : null };
  });
}

/** GET /ledger/entries: the journal, newest first. */
export async function listBookEntries(
  app: Transactor,
  call: Call,
  query: PageQuery & EntryFilter,
): Promise<Page<BookEntry>> {
  return read(app, call, async (tx) =>
    pageOf(query, (after, count) => listEntries(tx, query, after, count)),
  );
}

const RELATED_MAX = 50;

export interface EntryDetail {
  readonly entry: BookEntry;
  /** Oldest first. */
  readonly related: readonly BookEntry[];
}

/** GET /ledger/entries/{id}: both sides, and its related entries. */
export async function getEntry(app: Transactor, call: Call, entryId: string): Promise<EntryDetail> {
  return read(app, call, async (tx) => {
    const [entry] = await findEntries(tx, [{ id: entryId }]);
    if (entry === undefined) return refuse('ENTRY_NOT_FOUND', { entryId });
    const { subjectId } = entry;
    const all = subjectId === null ? [] : await listEntries(tx, { subjectId }, null, RELATED_MAX);
    return { entry, related: all.filter(({ id }) => id !== entry.id).reverse() };
  });
}
