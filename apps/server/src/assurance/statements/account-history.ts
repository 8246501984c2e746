//! The history of one account: the SQL that reads its entries for statements.
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { Currency } from '@holdfast/kernel/currency';
import type { UserId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import type { RowNumber } from '../../platform/database/database.ts';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import { read, type Transactor, type Tx } from '../../platform/database/transact.ts';
import { LINES_MAX, NOTHING, type StatementLine, type Sums } from './statement.ts';

export interface StatementAccount {
  readonly id: RowNumber;
  readonly balance: Sums;
  /** The number of its last entry. */
  readonly version: bigint;
}

/** Entries first to last of an account, by its own numbers. Empty when `first` is above `last`. */
export interface Stretch {
  readonly first: bigint;
  readonly last: bigint;
}

type LineRow = Row<'entry', 'kind' | 'subject_id' | 'reference' | 'note' | 'created_at'> &
  Row<'account', 'available' | 'reserved'> &
  Record<'seq' | 'entry_id' | 'available_change' | 'reserved_change', string>;

const PAGE = 500;

/** Undefined when nothing was ever booked for the user in this currency. */
export async function findAccount(
  tx: Tx,
  userId: UserId,
  currency: Currency,
): Promise<StatementAccount | undefined> {
  const [row] = await tx.query<Row<'account', 'id' | 'available' | 'reserved' | 'version'>>(sql`
    select id, available, reserved, version from account
    where marketplace_id = ${tx.marketplace} and kind = 'user' and owner_id = ${userId}
      and currency = ${currency}`);
  return row && { id: row.id, balance: sumsOf(row), version: BigInt(row.version) };
}

export async function seqBefore(tx: Tx, bookAccount: RowNumber, moment: Instant): Promise<bigint> {
  const [row] = await tx.query<{ seq: string }>(sql`
    select account_seq_before(${bookAccount}, ${instantText(moment)}) as seq`);
  return BigInt(row?.seq ?? 0);
}

/** The balance of the account after one of its entries. */
export async function balanceAfter(tx: Tx, bookAccount: RowNumber, seq: bigint): Promise<Sums> {
  if (seq === 0n) return NOTHING;
  const [row] = await tx.query<LineRow>(sql`
    select * from account_history(${bookAccount}, ${String(seq)}, ${String(seq)}, 1)`);
  return row === undefined ? NOTHING : sumsOf(row);
}

/** The number of lines, at most one more than a statement may have, and their sums. */
export async function sumStretch(
  tx: Tx,
  bookAccount: RowNumber,
  { first, last }: Stretch,
): Promise<{ readonly lines: number; readonly changes: Sums }> {
  const [row] = await tx.query<{ lines: number; available: string; reserved: string }>(sql`
    select count(*)::int as lines, coalesce(sum(available_change), 0)::text as available,
      coalesce(sum(reserved_change), 0)::text as reserved
    from account_history(${bookAccount}, ${String(first)}, ${String(last)}, ${LINES_MAX + 1})`);
  return row === undefined
    ? { lines: 0, changes: NOTHING }
    : { lines: row.lines, changes: sumsOf(row) };
}

/** Page by page, each in a short transaction of its own. */
export async function* linesOf(
  app: Transactor,
  call: Call,
  bookAccount: RowNumber,
  { first, last }: Stretch,
): AsyncIterable<StatementLine> {
  for (let next = first; next <= last; ) {
    const page = await read(app, call, (tx) =>
      tx.query<LineRow>(sql`
        select * from account_history(${bookAccount}, ${String(next)}, ${String(last)}, ${PAGE})`),
    );
    for (const row of page) yield lineOf(row);
    const end = page.at(-1)?.seq;
    if (end === undefined) return;
    next = BigInt(end) + 1n;
  }
}

function lineOf(row: LineRow): StatementLine {
  return {
    entryId: row.entry_id,
    at: row.created_at,
    kind: row.kind,
    subjectId: row.subject_id,
    reference: row.reference,
    note: row.note,
    change: { available: BigInt(row.available_change), reserved: BigInt(row.reserved_change) },
    balance: sumsOf(row),
  };
}

function sumsOf({ available, reserved }: { available: string; reserved: string }): Sums {
  return { available: BigInt(available), reserved: BigInt(reserved) };
}
