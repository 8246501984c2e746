//! Accounts of the books for the ledger explorer: their balances, now or at a time.
import type { LedgerAccountView } from '@holdfast/contract/records/ledger-records';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { Currency } from '@holdfast/kernel/currency';
import type { RowNumber } from '../../platform/database/database.ts';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';

export type BookKind = LedgerAccountView['kind'];

/** Kind, owner and currency identify an account. */
export interface AccountKey {
  readonly kind: BookKind;
  /** Empty for the marketplace's own. */
  readonly ownerId: string;
  readonly currency: Currency;
}

export interface BookAccount extends AccountKey {
  readonly number: RowNumber;
  readonly available: bigint;
  readonly reserved: bigint;
  readonly updatedAt: Instant;
}

type BookAccountRow = Row<
  'account',
  'id' | 'kind' | 'owner_id' | 'currency' | 'reserved' | 'updated_at'
> & { available: string };

/** `user.usr_….USD`, `fee_income.USD`. */
export function accountName({ kind, ownerId, currency }: AccountKey): string {
  return ownerId === '' ? `${kind}.${currency}` : `${kind}.${ownerId}.${currency}`;
}

/** The schema has checked the shape. */
export function readAccountName(name: string): AccountKey {
  const parts = name.split('.');
  const [kind = '', currency = ''] = [parts.at(0), parts.at(-1)];
  const ownerId = parts.length === 3 ? (parts[1] ?? '') : '';
  return { kind: kind as BookKind, ownerId, currency: currency as Currency };
}

export async function findBookAccount(tx: Tx, key: AccountKey): Promise<BookAccount | undefined> {
  const [row] = await tx.query<BookAccountRow>(sql`
    select a.id, a.kind, a.owner_id, a.currency, a.reserved, a.updated_at,
      a.available + case a.owner_id when '' then coalesce((
        select sum(p.delta) from house_delta p
        where p.marketplace_id = a.marketplace_id and p.account_id = a.id), 0) else 0 end
        as available
    from account a
    where a.marketplace_id = ${tx.marketplace} and a.kind = ${key.kind}
      and a.owner_id = ${key.ownerId} and a.currency = ${key.currency}`);
  return row && readBookAccount(row);
}

export interface AccountFilter {
  readonly kind?: BookKind;
  readonly ownerId?: string;
  readonly currency?: Currency;
}

/** In the order of their key, which the cursor names. */
export async function listBookAccounts(
  tx: Tx,
  { kind = null, ownerId = null, currency = null }: Nullable<AccountFilter>,
  after: AccountKey | null,
  count: number,
): Promise<BookAccount[]> {
  const rows = await tx.query<BookAccountRow>(sql`
    select a.id, a.kind, a.owner_id, a.currency, a.reserved, a.updated_at,
      a.available + case a.owner_id when '' then coalesce((
        select sum(p.delta) from house_delta p
        where p.marketplace_id = a.marketplace_id and p.account_id = a.id), 0) else 0 end
        as available
    from account a
    where a.marketplace_id = ${tx.marketplace}
      and a.kind = any(${kind === null ? KINDS : [kind]})
      and (a.kind, a.owner_id, a.currency)
        > (${after?.kind ?? ''}, ${after?.ownerId ?? ''}, ${after?.currency ?? ''})
      and (${ownerId}::text is null or a.owner_id = ${ownerId})
      and (${currency}::text is null or a.currency = ${currency})
    order by a.kind, a.owner_id, a.currency limit ${count}`);
  return rows.map(readBookAccount);
}

type Nullable<T> = { readonly [K in keyof T]?: T[K] | null };

export async function nameAccounts(
  tx: Tx,
  numbers: readonly RowNumber[],
): Promise<ReadonlyMap<RowNumber, string>> {
  const rows = await tx.query<Row<'account', 'id' | 'kind' | 'owner_id' | 'currency'>>(
    sql`select id, kind, owner_id, currency from account
      where id = any(${numbers}::bigint[]) and marketplace_id = ${tx.marketplace}`,
  );
  return new Map(
    rows.map(({ id, kind, owner_id: ownerId, currency }) => [
      id,
      accountName({ kind, ownerId, currency }),
    ]),
  );
}

export interface ChartLine extends Pick<AccountKey, 'kind' | 'currency'> {
  readonly accounts: number;
  readonly available: bigint;
  readonly reserved: bigint;
}

/** Every kind and currency that was ever booked. */
export async function sumAccounts(tx: Tx): Promise<ChartLine[]> {
  const rows = await tx.query<
    Row<'account', 'kind' | 'currency'> & { accounts: number; available: string; reserved: string }
  >(sql`
    select a.kind, a.currency, count(*)::int as accounts, sum(a.reserved)::text as reserved,
      (sum(a.available) + coalesce((
        select sum(p.delta) from house_delta p join account h
          on h.id = p.account_id and h.marketplace_id = p.marketplace_id
        where p.marketplace_id = ${tx.marketplace} and h.kind = a.kind and h.currency = a.currency),
        0))::text as available
    from account a where a.marketplace_id = ${tx.marketplace}
    group by a.kind, a.currency order by a.kind, a.currency`);
  return rows.map((row) => ({
    ...row,
    available: BigInt(row.available),
    reserved: BigInt(row.reserved),
  }));
}

/** The credits and debits of a house account since a moment. */
export async function houseChangeSince(
  tx: Tx,
  { number }: Pick<BookAccount, 'number'>,
  moment: Instant,
): Promise<bigint> {
  const [row] = await tx.query<{ change: string }>(sql`
    select (coalesce((select sum(amount) from entry
        where to_account = ${number} and to_seq is null and to_account <> from_account
          and id >= books.entry_id_floor(${instantText(moment)})
          and marketplace_id = ${tx.marketplace}), 0)
      - coalesce((select sum(amount) from entry
        where from_account = ${number} and from_seq is null
          and id >= books.entry_id_floor(${instantText(moment)})
          and marketplace_id = ${tx.marketplace}), 0))::text as change`);
  return BigInt(row?.change ?? 0);
}

const KINDS: readonly BookKind[] = [
  'adjustments',
  'debt',
  'escrow',
  'fee_income',
  'network_clearing',
  'payment_clearing',
  'payment_fees',
  'provider_fees',
  'suspense',
  'treasury',
  'user',
];

function readBookAccount(row: BookAccountRow): BookAccount {
  return {
    number: row.id,
    kind: row.kind,
    ownerId: row.owner_id,
    currency: row.currency,
    available: BigInt(row.available),
    reserved: BigInt(row.reserved),
    updatedAt: row.updated_at,
  };
}
