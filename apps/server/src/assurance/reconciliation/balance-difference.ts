//! Differences that `sync` found between books and network: the only SQL that writes them.
import { instantText } from '@holdfast/kernel/clock';
import type { Currency } from '@holdfast/kernel/currency';
import type { AuditId } from '@holdfast/kernel/ids';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import type { AddressFacts } from './address-facts.ts';

/** How a difference is resolved. */
export interface Posting {
  readonly currency: Currency;
  /** Against suspense, in cents: to the user, or from the user when negative. */
  readonly minor: bigint;
  /** The change of the wallet's dust. */
  readonly dust: bigint;
}

export interface BalanceDifference extends Posting {
  readonly id: AuditId;
  readonly facts: AddressFacts;
  readonly unexplained: bigint;
}

export async function insertDifference(tx: Tx, difference: BalanceDifference): Promise<void> {
  const { id, facts, unexplained, currency, minor, dust } = difference;
  await tx.query(sql`
    insert into balance_difference (marketplace_id, id, user_id, asset, address_stroops,
      mirrored_stroops, unexplained_stroops, currency, amount, dust_stroops, created_at)
    values (${tx.marketplace}, ${id}, ${facts.userId}, ${facts.currency}, ${String(facts.actual)},
      ${String(facts.mirrored)}, ${String(unexplained)}, ${currency}, ${minor}, ${String(dust)},
      ${instantText(tx.now)})`);
}
