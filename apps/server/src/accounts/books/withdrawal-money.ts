//! Money of withdrawals: one function for each movement, inside the withdrawal's own transaction.
//! Amount and user are the withdrawal's; see platform/database/functions/books/payments.
import { instantText } from '@holdfast/kernel/clock';
import type { Currency } from '@holdfast/kernel/currency';
import { newId, type UserId, type WithdrawalId } from '@holdfast/kernel/ids';
import type { Money } from '@holdfast/kernel/money';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import { type BalanceAfter, runPosting } from './balance-after.ts';
import { refuseInsufficient } from './unconfirmed-money.ts';

/** The fields of a withdrawal that the books need. */
export interface BookedWithdrawal {
  readonly id: WithdrawalId;
  readonly userId: UserId;
  readonly amount: Money;
  readonly currency: Currency;
}

/** Reserves the user's money; refuses where too little is available. */
export async function holdForWithdrawal(
  tx: Tx,
  withdrawal: BookedWithdrawal,
): Promise<BalanceAfter> {
  const { id, userId, amount } = withdrawal;
  const posted = await runPosting(
    tx,
    withdrawal,
    sql`select * from books.hold_for_withdrawal(${instantText(tx.now)}, ${id}, ${newId('rsv', tx.now)},
      ${tx.actor.id}, ${tx.requestId})`,
  );
  if (posted.isDone) return posted;
  return refuseInsufficient(tx, userId, amount, posted.available);
}

/** Why held money became available again: the reason in its balance event. */
export type ReturnReason = 'withdrawal_failed' | 'withdrawal_canceled';

/** Money that is not confirmed as returned cannot be taken. */
export async function returnWithdrawalHold(
  tx: Tx,
  withdrawal: BookedWithdrawal,
  reason: ReturnReason,
  isConfirmed: boolean,
): Promise<BalanceAfter> {
  return runPosting(
    tx,
    withdrawal,
    sql`select * from books.return_withdrawal_hold(${instantText(tx.now)}, ${withdrawal.id},
      ${isConfirmed}, ${reason}, ${tx.actor.id}, ${tx.requestId})`,
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
 * Takes again what was returned and not confirmed, as it was paid out; returns the amount, zero
 * where there is none.
 */
export async function retakeWithdrawal(tx: Tx, { id }: BookedWithdrawal): Promise<bigint> {
  const [row] = await tx.query<{ retaken: string | null }>(sql`
    select books.retake_withdrawal(${instantText(tx.now)}, ${id}, ${tx.actor.id}, ${tx.requestId})
      as retaken`);
  return BigInt(row?.retaken ?? 0);
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
