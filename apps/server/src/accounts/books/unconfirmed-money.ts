//! Money that a user has by the payment provider's notification alone: shown as available, and not
//! taken before the provider's own record confirms it.
import { refuse } from '@holdfast/contract/errors';
import { instantText } from '@holdfast/kernel/clock';
import type { TopupId, UserId, WithdrawalId } from '@holdfast/kernel/ids';
import { type Money, minorText } from '@holdfast/kernel/money';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';

/** The payment that the money came by; the caller has locked it. */
type PaymentId = TopupId | WithdrawalId;

/** It can be taken from now on. Does nothing where the money was confirmed before. */
export async function confirmMoney(tx: Tx, id: PaymentId): Promise<void> {
  const [row] = await tx.query<{ confirmed: string | null }>(sql`
    select books.confirm_money(${instantText(tx.now)}, ${id}, ${tx.actor.id}, ${tx.requestId})
      as confirmed`);
  if (row?.confirmed == null) return;
  const after = { amount: minorText(BigInt(row.confirmed)) };
  await audit(tx, { action: 'MONEY_CONFIRMED', resourceId: id, after });
}

/** What this payment has given its user and no record has confirmed. */
export async function findUnconfirmed(tx: Tx, id: PaymentId): Promise<bigint> {
  const [row] = await tx.query<Row<'lien', 'amount'>>(sql`
    select amount from lien
    where marketplace_id = ${tx.marketplace} and subject_id = ${id} and lifted_at is null`);
  return BigInt(row?.amount ?? 0);
}

/** Refuses to take an amount; says so where it is there and only not confirmed yet. */
export async function refuseInsufficient(
  tx: Tx,
  userId: UserId,
  requested: Money,
  available: Money,
): Promise<never> {
  const { currency } = requested;
  const [row] = await tx.query<Row<'account', 'unconfirmed'>>(sql`
    select unconfirmed from account
    where marketplace_id = ${tx.marketplace} and kind = 'user' and owner_id = ${userId}
      and currency = ${currency}`);
  const unconfirmed = minorText(BigInt(row?.unconfirmed ?? 0));
  return refuse('INSUFFICIENT_FUNDS', {
    requested: requested.text,
    available: available.text,
    ...(available.isLessThan(requested) ? {} : { unconfirmed }),
    currency,
  });
}
