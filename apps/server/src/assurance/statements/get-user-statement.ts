//! Lists every change of a user's balance in a period: GET /users/{userId}/statement.
import { refuse } from '@holdfast/contract/errors';
import { BASE_CURRENCY } from '@holdfast/contract/limits';
import type { Currency } from '@holdfast/kernel/currency';
import type { UserId } from '@holdfast/kernel/ids';
import { findBalance } from '../../accounts/books/account.ts';
import type { Call } from '../../platform/call.ts';
import { read, type Transactor, type Tx } from '../../platform/database/transact.ts';
import {
  balanceAfter,
  findAccount,
  linesOf,
  type StatementAccount,
  type Stretch,
  seqBefore,
  sumStretch,
} from './account-history.ts';
import { type Period, type PeriodQuery, readPeriod } from './period.ts';
import { checkedLines, checkLength, checkSums, NOTHING, type Statement } from './statement.ts';

export async function getUserStatement(
  app: Transactor,
  call: Call,
  userId: UserId,
  query: PeriodQuery & { readonly currency?: Currency },
): Promise<Statement> {
  const { currency = BASE_CURRENCY } = query;
  const period = readPeriod(query, app.clock.now());
  const about = { subjectType: 'User', subjectId: userId, currency, ...period } as const;
  const found = await read(app, call, (tx) => findHistory(tx, userId, currency, period));
  if (found === undefined)
    return { ...about, opening: NOTHING, closing: NOTHING, lines: noLines() };
  const { bookAccount, stretch, opening, closing } = found;
  const lines = checkedLines(opening, closing, linesOf(app, call, bookAccount.id, stretch));
  return { ...about, opening, closing, lines };
}

/** Read in one snapshot, and checked: the lines that are sent later cannot have changed. */
async function findHistory(tx: Tx, userId: UserId, currency: Currency, period: Period) {
  if ((await findBalance(tx, userId, currency)) === undefined) refuse('USER_NOT_FOUND', { userId });
  const bookAccount = await findAccount(tx, userId, currency);
  if (bookAccount === undefined) return undefined;
  const stretch = await stretchOf(tx, bookAccount, period);
  const opening = await balanceAfter(tx, bookAccount.id, stretch.first - 1n);
  const { lines, changes } = await sumStretch(tx, bookAccount.id, stretch);
  checkLength(lines);
  const isUpToNow = stretch.last === bookAccount.version;
  const closing = isUpToNow
    ? bookAccount.balance
    : await balanceAfter(tx, bookAccount.id, stretch.last);
  checkSums(opening, changes, closing);
  if (BigInt(lines) !== stretch.last - stretch.first + 1n)
    refuse('STATEMENT_UNBALANCED', { reason: 'a line is missing' });
  return { bookAccount, stretch, opening, closing };
}

/**
 * By the account's own numbers, so that consecutive periods share no line and miss none, even when
 * the clocks of the writers differ.
 */
async function stretchOf(
  tx: Tx,
  bookAccount: StatementAccount,
  { from, to }: Period,
): Promise<Stretch> {
  const before = from === null ? 0n : await seqBefore(tx, bookAccount.id, from);
  const last = await seqBefore(tx, bookAccount.id, to);
  return { first: before + 1n, last };
}

async function* noLines() {}
