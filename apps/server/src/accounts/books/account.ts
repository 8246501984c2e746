//! Accounts of the books: opened at first use, their numbers remembered, their balances read.
import type { Clock, Instant } from '@holdfast/kernel/clock';
import { instantText } from '@holdfast/kernel/clock';
import type { Currency } from '@holdfast/kernel/currency';
import type { UserId } from '@holdfast/kernel/ids';
import type pg from 'pg';
import type { RowNumber } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import type { BookAccount } from './posting.ts';

export type HouseKind =
  | 'adjustments'
  | 'fee_income'
  | 'provider_fees'
  | 'payment_fees'
  | 'payment_clearing'
  | 'network_clearing'
  | 'treasury'
  | 'suspense';

const REMEMBERED_MAX = 200_000;

interface UserAccounts {
  readonly marketplace: RowNumber;
  readonly accounts: Partial<Record<Currency, BookAccount>>;
}

/** An account's number never changes, so it is queried once and cached. */
export class AccountNumbers {
  readonly #pool: pg.Pool;
  readonly #clock: Clock;
  readonly #users = new Map<UserId, UserAccounts>();
  readonly #houses = new Map<string, RowNumber>();

  constructor(pool: pg.Pool, clock: Clock) {
    this.#pool = pool;
    this.#clock = clock;
  }

  /** Undefined when the marketplace has no such user. */
  ofUser(
    marketplace: RowNumber,
    userId: UserId,
    currency: Currency,
  ): BookAccount | Promise<BookAccount | undefined> {
    const known = this.#users.get(userId);
    if (known?.marketplace === marketplace) {
      const account = known.accounts[currency];
      if (account !== undefined) return account;
    }
    return this.#openUser(marketplace, userId, currency);
  }

  ofHouse(
    marketplace: RowNumber,
    kind: HouseKind,
    currency: Currency,
  ): RowNumber | Promise<RowNumber> {
    return (
      this.#houses.get(`${marketplace} ${kind} ${currency}`) ??
      this.#openHouse(marketplace, kind, currency)
    );
  }

  async #openUser(
    marketplace: RowNumber,
    userId: UserId,
    currency: Currency,
  ): Promise<BookAccount | undefined> {
    const id = await this.#open(marketplace, 'user', userId, currency);
    if (id === null) return undefined;
    const account = { id, ownerId: userId, currency };
    const known = this.#users.get(userId);
    remember(this.#users, userId, {
      marketplace,
      accounts: { ...known?.accounts, [currency]: account },
    });
    return account;
  }

  async #openHouse(
    marketplace: RowNumber,
    kind: HouseKind,
    currency: Currency,
  ): Promise<RowNumber> {
    const id = (await this.#open(marketplace, kind, '', currency)) as RowNumber;
    remember(this.#houses, `${marketplace} ${kind} ${currency}`, id);
    return id;
  }

  async #open(
    marketplace: RowNumber,
    kind: string,
    owner: string,
    currency: Currency,
  ): Promise<RowNumber | null> {
    const { rows } = await this.#pool.query<{ id: RowNumber | null }>({
      name: 'open-account',
      text: 'select books.open_account($1, $2, $3, $4, $5) as id',
      values: [marketplace, kind, owner, currency, instantText(this.#clock.now())],
    });
    return rows[0]?.id ?? null;
  }
}

function remember<K, T>(known: Map<K, T>, name: K, value: T): void {
  if (known.size >= REMEMBERED_MAX) known.delete(known.keys().next().value as K);
  known.set(name, value);
}

export interface Balance {
  readonly userId: UserId;
  readonly currency: Currency;
  readonly available: bigint;
  readonly reserved: bigint;
  readonly at: Instant;
}

/** As stored: with the part of the available amount that cannot be taken yet. */
export interface StoredBalance extends Balance {
  readonly unconfirmed: bigint;
}

/**
 * An account without entries has a balance of zero, as old as the user. Undefined without the user.
 */
export async function findBalance(
  tx: Tx,
  userId: UserId,
  currency: Currency,
): Promise<StoredBalance | undefined> {
  const [row] = await tx.query<{
    available: string | null;
    reserved: string | null;
    unconfirmed: string | null;
    at: Instant;
  }>(sql`
    select a.available, a.reserved, a.unconfirmed, coalesce(a.updated_at, u.created_at) as at
    from users u left join account a on a.marketplace_id = u.marketplace_id and a.kind = 'user'
      and a.owner_id = u.id and a.currency = ${currency}
    where u.marketplace_id = ${tx.marketplace} and u.id = ${userId}`);
  if (row === undefined) return undefined;
  return {
    userId,
    currency,
    available: BigInt(row.available ?? 0),
    reserved: BigInt(row.reserved ?? 0),
    unconfirmed: BigInt(row.unconfirmed ?? 0),
    at: row.at,
  };
}

/** The currencies in which manual holds tagged with this order are active. */
export async function currenciesHeldFor(
  tx: Tx,
  userId: UserId,
  orderId: string,
): Promise<Currency[]> {
  const rows = await tx.query<{ currency: Currency }>(sql`
    select distinct a.currency from reservation r
    join account a on a.id = r.account_id and a.marketplace_id = r.marketplace_id
    where r.marketplace_id = ${tx.marketplace} and r.remaining > 0 and r.owner = 'manual'
      and r.subject_id = ${orderId} and a.kind = 'user' and a.owner_id = ${userId}
    order by a.currency desc`);
  return rows.map((row) => row.currency);
}
