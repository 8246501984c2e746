//! What users owe: GET /users/{id}/debts, and POST /users/{id}/debts/write-off.
import { refuse } from '@holdfast/contract/errors';
import { refuseField } from '@holdfast/contract/validation';
import { instantText } from '@holdfast/kernel/clock';
import type { Currency } from '@holdfast/kernel/currency';
import type { UserId } from '@holdfast/kernel/ids';
import { Money, minorText } from '@holdfast/kernel/money';
import type { Call } from '../../platform/call.ts';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import { read, type Transactor, type Tx, transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { findUser } from './user.ts';

export interface Debt {
  readonly userId: UserId;
  readonly currency: Currency;
  readonly owed: bigint;
}

export interface WriteOff {
  readonly amount: string;
  readonly currency: Currency;
  readonly reason: string;
}

/** One for each currency in which the user ever owed money; zero where it is repaid. */
export async function listDebts(app: Transactor, call: Call, userId: UserId): Promise<Debt[]> {
  return read(app, call, (tx) => findDebts(tx, userId));
}

/** The marketplace bears it. Refused where the user owes less. */
export async function writeOffDebt(
  app: Transactor,
  call: Call,
  userId: UserId,
  input: WriteOff,
): Promise<Debt> {
  const { currency, reason } = input;
  const amount = readWriteOff(input);
  return transact(app, call, async (tx) => {
    await checkDebt(tx, userId, amount);
    const [row] = await tx.query<{ owed: string | null }>(sql`
      select books.write_off_debt(${instantText(tx.now)}, ${userId}, ${currency}, ${amount.minor},
        ${reason}, ${tx.actor.id}, ${tx.requestId}) as owed`);
    if (row?.owed == null) return refuseMore(userId, amount, 0n);
    const owed = BigInt(row.owed);
    await audit(tx, {
      action: 'DEBT_WRITTEN_OFF',
      resourceId: userId,
      before: { owed: minorText(owed + amount.minor) },
      after: { owed: minorText(owed), currency },
      reason,
    });
    return { userId, currency, owed };
  });
}

export function readWriteOff({ amount, currency }: WriteOff): Money {
  return (
    Money.read(amount, currency) ??
    refuseField('amount', 'format', 'amount must be a positive decimal string with two places')
  );
}

export async function checkDebt(tx: Tx, userId: UserId, amount: Money): Promise<void> {
  const debts = await findDebts(tx, userId);
  const owed = debts.find(({ currency }) => currency === amount.currency)?.owed ?? 0n;
  if (owed < amount.minor) refuseMore(userId, amount, owed);
}

async function findDebts(tx: Tx, userId: UserId): Promise<Debt[]> {
  if ((await findUser(tx, userId)) === undefined) refuse('USER_NOT_FOUND', { userId });
  const rows = await tx.query<Row<'account', 'currency' | 'available', { currency: Currency }>>(sql`
    select currency, available from account
    where marketplace_id = ${tx.marketplace} and kind = 'debt' and owner_id = ${userId}
    order by currency`);
  return rows.map(({ currency, available }) => ({ userId, currency, owed: -BigInt(available) }));
}

/**
 * What all users of the marketplace owe in dollars, in cents. One transaction at a time sums them,
 * until it ends: of two that commit together, the second sees the debt that the first has opened.
 * For read committed only, where a statement sees what was committed before it.
 */
export async function lockAndSumDebts(tx: Tx): Promise<bigint> {
  const lock = `debts of ${tx.marketplace}`;
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`);
  const [row] = await tx.query<{ owed: string }>(sql`
    select -coalesce(sum(available), 0) as owed from account
    where marketplace_id = ${tx.marketplace} and kind = 'debt' and currency in ('USD', 'USDC')`);
  return BigInt(row?.owed ?? 0);
}

function refuseMore(userId: UserId, amount: Money, owed: bigint): never {
  const { text, currency } = amount;
  const reason = `the user owes ${minorText(owed)} ${currency}, less than ${text} ${currency}`;
  return refuse('INVALID_STATE', { resource: 'user', id: userId, state: 'OWING', reason });
}
