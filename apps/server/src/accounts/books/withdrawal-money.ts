//! Money of withdrawals: one function for each movement, inside the withdrawal's own transaction.
//! Amount and user are the withdrawal's; see platform/database/functions/books/payments.
import { refuse } from '@holdfast/contract/errors';
import { instantText } from '@holdfast/kernel/clock';
import type { Currency } from '@holdfast/kernel/currency';
import { newId, type WithdrawalId } from '@holdfast/kernel/ids';
import type { Money } from '@holdfast/kernel/money';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import { type BalanceAfter, runPosting } from './balance-after.ts';

/** The fields of a withdrawal that the books need. */
export interface BookedWithdrawal {
  readonly id: WithdrawalId;
  readonly amount: Money;
  readonly currency: Currency;
}

/** Reserves the user's money; refuses where too little is available. */
export async function holdForWithdrawal(
  tx: Tx,
  withdrawal: BookedWithdrawal,
): Promise<BalanceAfter> {
  const { id, amount, currency } = withdrawal;
  const posted = await runPosting(
    tx,
    withdrawal,
    sql`select * from books.hold_for_withdrawal(${instantText(tx.now)}, ${id}, ${newId('rsv', tx.now)},
      ${tx.actor.id}, ${tx.requestId})`,
  );
  if (posted.isDone) return posted;
  const available = posted.available.text;
  return refuse('INSUFFICIENT_FUNDS', { requested: amount.text, available, currency });
}

/** Why held money became available again: the reason in its balance event. */
export type ReturnReason = 'withdrawal_failed' | 'withdrawal_canceled';

export async function returnWithdrawalHold(
  tx: Tx,
  withdrawal: BookedWithdrawal,
  reason: ReturnReason,
): Promise<BalanceAfter> {
  return runPosting(
    tx,
    withdrawal,
    sql`select * from books.return_withdrawal_hold(${instantText(tx.now)}, ${withdrawal.id},
      ${reason}, ${tx.actor.id}, ${tx.requestId})`,
  );
}

/** Consumes the hold: the money has left. */
export async function payWithdrawal(tx: Tx, withdrawal: BookedWithdrawal): Promise<BalanceAfter> {
  return runPosting(
    tx,
    withdrawal,
    sql`select * from books.pay_withdrawal(${instantText(tx.now)}, ${withdrawal.id}, ${tx.actor.id},
      ${tx.requestId})`,
  );
}

/** Credits the user with a payout that came back; returns the amount, zero where none was paid. */
export async function returnWithdrawal(tx: Tx, { id }: BookedWithdrawal): Promise<bigint> {
  const [row] = await tx.query<{ returned: string | null }>(sql`
    select books.return_withdrawal(${instantText(tx.now)}, ${id}, ${tx.actor.id}, ${tx.requestId})
      as returned`);
  return BigInt(row?.returned ?? 0);
}

/**
 * Brings the books to the amount that was paid out in all; suspense bears the difference. Returns
 * the difference in minor units: above zero when more was paid than the books had.
 */
export async function suspendWithdrawal(
  tx: Tx,
  { id }: BookedWithdrawal,
  paid: Money,
  note: string,
): Promise<bigint> {
  const [row] = await tx.query<{ difference: string | null }>(sql`
    select books.suspend_withdrawal(${instantText(tx.now)}, ${id}, ${paid.minor}, ${note},
      ${tx.actor.id}, ${tx.requestId}) as difference`);
  return BigInt(row?.difference ?? 0);
}
