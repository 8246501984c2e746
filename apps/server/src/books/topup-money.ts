//! Money of top-ups: one function for each thing that a top-up may do with it, inside the top-up's
//! own transaction. Amounts and user are the top-up's; see the doors in 0013_topups.sql.
import { assert } from '@holdfast/kernel/assert';
import { instantText } from '@holdfast/kernel/clock';
import type { Currency } from '@holdfast/kernel/currency';
import type { TopupId } from '@holdfast/kernel/ids';
import { Money } from '@holdfast/kernel/money';
import { sql } from '../platform/sql.ts';
import type { Tx } from '../platform/transact.ts';

/** What the books need to know of a top-up. */
export interface BookedTopup {
  readonly id: TopupId;
  readonly currency: Currency;
}

/** Gives the user what came in, once; answers what is available then. */
export async function creditTopup(tx: Tx, { id, currency }: BookedTopup): Promise<Money> {
  const [row] = await tx.query<{ available: string }>(sql`
    select books.credit_topup(${instantText(tx.now)}, ${id}, ${tx.actor.id}, ${tx.requestId})
      as available`);
  assert(row !== undefined, 'a door of the books answers');
  return Money.ofMinor(BigInt(row.available), currency);
}

/**
 * Brings to suspense whatever lies between what came in and what the user has, and out of it what
 * does no longer. Answers what is there: below zero where the user has what never came.
 */
export async function suspendTopup(tx: Tx, { id }: BookedTopup): Promise<bigint> {
  const [row] = await tx.query<{ suspended: string }>(sql`
    select books.suspend_topup(${instantText(tx.now)}, ${id}, ${tx.actor.id}, ${tx.requestId})
      as suspended`);
  assert(row !== undefined, 'a door of the books answers');
  return BigInt(row.suspended);
}
