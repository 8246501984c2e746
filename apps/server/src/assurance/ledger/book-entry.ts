//! Journal entries for the ledger explorer: both sides, by name.
import type { LedgerEntryView } from '@holdfast/contract/records/ledger-records';
import { assert } from '@holdfast/kernel/assert';
import { type Instant, instantText, readInstant } from '@holdfast/kernel/clock';
import type { Currency } from '@holdfast/kernel/currency';
import type { RowNumber } from '../../platform/database/database.ts';
import type { Tables } from '../../platform/database/generated/tables.ts';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import { type BookAccount, nameAccounts } from './book-account.ts';

export interface EntrySide {
  readonly accountId: string;
  readonly bucket: LedgerEntryView['from']['bucket'];
  /** Null where no running balance is stored. */
  readonly available: bigint | null;
  readonly reserved: bigint | null;
}

export interface BookEntry {
  readonly id: RowNumber;
  readonly kind: string;
  readonly at: Instant;
  readonly amount: bigint;
  readonly currency: Currency;
  readonly from: EntrySide;
  readonly to: EntrySide;
  readonly subjectId: string | null;
  readonly reference: string | null;
  readonly note: string | null;
  readonly actorId: string;
  readonly requestId: string;
}

type EntryRow = Row<
  'entry',
  Exclude<keyof Tables['entry'], 'marketplace_id' | 'from_seq' | 'to_seq'>,
  { currency: Currency; from_bucket: EntrySide['bucket']; to_bucket: EntrySide['bucket'] }
>;

/** An entry's number, and its position in the list. */
interface EntryPosition {
  id: RowNumber;
  position: RowNumber;
}

/** Above every number. */
const NUMBER_CEILING = '9223372036854775807';

/** Nineteen digits can exceed the range of the journal. */
function bounded(number: string | null): RowNumber {
  return number === null || BigInt(number) > BigInt(NUMBER_CEILING) ? NUMBER_CEILING : number;
}

export interface EntryFilter {
  readonly subjectId?: string;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
}

/** Newest first; numbers start with their time, so that a period is a range of them. */
export async function listEntries(
  tx: Tx,
  { subjectId, createdAfter, createdBefore }: EntryFilter,
  after: string | null,
  count: number,
): Promise<BookEntry[]> {
  const below = bounded(after);
  const moment = (text: string | undefined, otherwise: string) =>
    text === undefined ? otherwise : instantText(readInstant(text) ?? 0);
  const from = moment(createdAfter, '2026-01-01T00:00:00.000Z');
  const until = moment(createdBefore, '2200-01-01T00:00:00.000Z');
  const found =
    subjectId === undefined
      ? await tx.query<EntryPosition>(sql`
          select id, id as position from entry
          where marketplace_id = ${tx.marketplace} and id < ${below}
            and id >= books.entry_id_floor(${from}) and id < books.entry_id_floor(${until})
          order by id desc limit ${count}`)
      : await tx.query<EntryPosition>(sql`
          select id, id as position from entry
          where subject_id = ${subjectId} and marketplace_id = ${tx.marketplace}
            and id < ${below}
            and id >= books.entry_id_floor(${from}) and id < books.entry_id_floor(${until})
          order by id desc limit ${count}`);
  return findEntries(tx, found);
}

/** An entry of a list, with the position from which the next page continues. */
export interface PositionedEntry extends BookEntry {
  readonly position: RowNumber;
}

/**
 * Newest first. A user's account numbers its entries itself; entries of the house are found by the
 * journal's own numbers.
 */
export async function listAccountEntries(
  tx: Tx,
  { number, ownerId }: Pick<BookAccount, 'number' | 'ownerId'>,
  after: string | null,
  count: number,
): Promise<PositionedEntry[]> {
  const below = bounded(after);
  const found =
    ownerId === ''
      ? await tx.query<EntryPosition>(sql`
          select id, id as position from (
            (select id from entry where from_account = ${number} and from_seq is null
              and id < ${below} and marketplace_id = ${tx.marketplace}
            order by id desc limit ${count})
            union all
            (select id from entry where to_account = ${number} and to_seq is null
              and to_account <> from_account and id < ${below}
              and marketplace_id = ${tx.marketplace}
            order by id desc limit ${count})) as legs
          order by id desc limit ${count}`)
      : await tx.query<EntryPosition>(sql`
          select id, position from (
            (select id, from_seq as position from entry
            where marketplace_id = ${tx.marketplace} and from_account = ${number}
              and from_seq is not null and from_seq < ${below}
            order by from_seq desc limit ${count})
            union all
            (select id, to_seq from entry
            where marketplace_id = ${tx.marketplace} and to_account = ${number}
              and to_seq is not null and to_seq < ${below}
            order by to_seq desc limit ${count})) as legs
          order by position desc limit ${count}`);
  const entries = new Map((await findEntries(tx, found)).map((entry) => [entry.id, entry]));
  return found.map(({ id, position }) => {
    const entry = entries.get(id);
    assert(entry !== undefined, 'what was listed is there');
    return { ...entry, position };
  });
}

/** Newest first. */
export async function findEntries(
  tx: Tx,
  numbers: readonly { readonly id: RowNumber }[],
): Promise<BookEntry[]> {
  if (numbers.length === 0) return [];
  const rows = await tx.query<EntryRow>(sql`
    select id, kind, currency, amount, from_account, from_bucket, from_available, from_reserved,
      to_account, to_bucket, to_available, to_reserved, subject_id, reference, note, actor_id,
      correlation_id, created_at
    from entry
    where marketplace_id = ${tx.marketplace} and id = any(${numbers.map(({ id }) => bounded(id))}::bigint[])
    order by id desc`);
  const names = await nameAccounts(tx, [
    ...new Set(rows.flatMap(({ from_account, to_account }) => [from_account, to_account])),
  ]);
  return rows.map((row) => readEntry(row, names));
}

function readEntry(row: EntryRow, names: ReadonlyMap<RowNumber, string>): BookEntry {
  return {
    id: row.id,
    kind: row.kind,
    at: row.created_at,
    amount: BigInt(row.amount),
    currency: row.currency,
    from: {
      accountId: nameOf(names, row.from_account),
      bucket: row.from_bucket,
      ...balances(row.from_available, row.from_reserved),
    },
    to: {
      accountId: nameOf(names, row.to_account),
      bucket: row.to_bucket,
      // An entry within one account shows its balance once.
      ...(row.from_account === row.to_account
        ? balances(row.from_available, row.from_reserved)
        : balances(row.to_available, row.to_reserved)),
    },
    subjectId: row.subject_id,
    reference: row.reference,
    note: row.note,
    actorId: row.actor_id,
    requestId: row.correlation_id,
  };
}

function nameOf(names: ReadonlyMap<RowNumber, string>, number: RowNumber): string {
  const name = names.get(number);
  assert(name !== undefined, 'an entry is between two accounts of its marketplace');
  return name;
}

function balances(available: string | null, reserved: string | null) {
  return {
    available: available === null ? null : BigInt(available),
    reserved: reserved === null ? null : BigInt(reserved),
  };
}
