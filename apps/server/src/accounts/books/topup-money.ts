//! Money of top-ups: one function for each movement, inside the top-up's own transaction. Amount
//! and user are the top-up's; see platform/database/functions/books/payments.
import { assert } from '@holdfast/kernel/assert';
import { instantText } from '@holdfast/kernel/clock';
import type { Currency } from '@holdfast/kernel/currency';
import type { TopupId } from '@holdfast/kernel/ids';
import { Money } from '@holdfast/kernel/money';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';

/** The fields of a top-up that the books need. */
export interface BookedTopup {
  readonly id: TopupId;
  readonly currency: Currency;
}

/**
 * Credits the user with the received amount, once; returns the available balance afterwards. Money
 * that is not confirmed cannot be taken.
 */
export async function creditTopup(
  tx: Tx,
  { id, currency }: BookedTopup,
  isConfirmed: boolean,
): Promise<Money> {
  const [row] = await tx.query<{ available: string }>(sql`
    select books.credit_topup(${instantText(tx.now)}, ${id}, ${isConfirmed}, ${tx.actor.id},
      ${tx.requestId}) as available`);
  assert(row !== undefined, 'a posting function returns a row');
  return Money.ofMinor(BigInt(row.available), currency);
}

/** Posts the provider's fee as recorded, and charges it to the user where the user bears it. */
export async function bookTopupFee(tx: Tx, { id }: BookedTopup): Promise<void> {
  await tx.query(sql`
    select books.book_topup_fee(${instantText(tx.now)}, ${id}, ${tx.actor.id}, ${tx.requestId})`);
}

/** Takes back from the user what is recorded as reversed, or pays it again. */
export async function bookTopupReversal(tx: Tx, { id }: BookedTopup): Promise<void> {
  await tx.query(sql`
    select books.book_topup_reversal(${instantText(tx.now)}, ${id}, ${tx.actor.id},
      ${tx.requestId})`);
}

/**
 * Brings suspense to the difference between the received and the credited amount. Returns the
 * amount in suspense: below zero when the user was credited with money that never came.
 */
export async function suspendTopup(tx: Tx, { id }: BookedTopup): Promise<bigint> {
  const [row] = await tx.query<{ suspended: string }>(sql`
    select books.suspend_topup(${instantText(tx.now)}, ${id}, ${tx.actor.id}, ${tx.requestId})
      as suspended`);
  assert(row !== undefined, 'a posting function returns a row');
  return BigInt(row.suspended);
}
