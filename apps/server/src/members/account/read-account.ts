//! Reads a member's account: balances, transactions and wallets.

import type { Instant } from '@holdfast/kernel/clock';
import { CURRENCY_CODES, type Currency } from '@holdfast/kernel/currency';
import { Money } from '@holdfast/kernel/money';
import { type Balance, findBalance } from '../../accounts/books/account.ts';
import type { Call, MemberActor } from '../../platform/call.ts';
import {
  type NumberedPage,
  type NumberedQuery,
  numberedPageOf,
} from '../../platform/database/numbered-page.ts';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { listWalletLinks, type WalletLink } from './member.ts';

/** GET /balances: one per currency. */
export async function listBalances(app: Transactor, call: Call<MemberActor>): Promise<Balance[]> {
  return read(app, call, async (tx) => {
    const balances: Balance[] = [];
    for (const currency of CURRENCY_CODES) {
      const balance = await findBalance(tx, call.actor.id, currency);
      if (balance !== undefined) balances.push(balance);
    }
    return balances;
  });
}

export interface HistoryLine {
  readonly entryId: string;
  readonly type: 'credit' | 'debit';
  readonly amount: Money;
  readonly kind: string;
  readonly note: string | null;
  readonly at: Instant;
}

type LineRow = Row<
  'entry',
  'id' | 'amount' | 'currency' | 'kind' | 'note' | 'created_at',
  { currency: Currency }
> & { type: HistoryLine['type'] };

/**
 * GET /balances/transactions: amounts that came to the balances and left them, from the journal. A
 * move within an account, such as a reservation, is no transaction.
 */
export async function listTransactions(
  app: Transactor,
  call: Call<MemberActor>,
  { currency, ...query }: NumberedQuery & { readonly currency?: Currency },
): Promise<NumberedPage<HistoryLine>> {
  const currencies = currency === undefined ? CURRENCY_CODES : [currency];
  return read(app, call, (tx) =>
    numberedPageOf(query, async (skip, count) => {
      const accounts = await tx.query<Row<'account', 'id'>>(sql`
        select id from account where marketplace_id = ${tx.marketplace} and kind = 'user'
          and owner_id = ${call.actor.id} and currency = any (${currencies})`);
      const mine = accounts.map(({ id }) => id);
      const rows = await tx.query<LineRow>(sql`
        select id, type, amount, currency, kind, note, created_at from (
          select id, 'credit' as type, amount, currency, kind, note, created_at from entry
          where marketplace_id = ${tx.marketplace} and to_account = any (${mine}::bigint[])
            and to_seq is not null
          union all
          select id, 'debit', amount, currency, kind, note, created_at from entry
          where marketplace_id = ${tx.marketplace} and from_account = any (${mine}::bigint[])
            and from_seq is not null and to_account <> from_account) as legs
        order by id desc limit ${count} offset ${skip}`);
      const [counted] = await tx.query<{ total: number }>(sql`
        select ((select count(*) from entry where marketplace_id = ${tx.marketplace}
            and to_account = any (${mine}::bigint[]) and to_seq is not null)
          + (select count(*) from entry where marketplace_id = ${tx.marketplace}
            and from_account = any (${mine}::bigint[]) and from_seq is not null
            and to_account <> from_account))::int as total`);
      return { items: rows.map(lineOf), total: counted?.total ?? 0 };
    }),
  );
}

function lineOf({ id, type, amount, currency, kind, note, created_at }: LineRow): HistoryLine {
  const money = Money.ofMinor(BigInt(amount), currency);
  return { entryId: id, type, amount: money, kind, note, at: created_at };
}

/** GET /wallets: those that the member has connected. */
export async function listWallets(app: Transactor, call: Call<MemberActor>): Promise<WalletLink[]> {
  return read(app, call, (tx) => listWalletLinks(tx, call.actor.id));
}
