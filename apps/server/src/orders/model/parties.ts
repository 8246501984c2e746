//! Buyer and seller of an order: the data that the order's checks need.
import type { UserView } from '@holdfast/contract/records';
import type { UserId } from '@holdfast/kernel/ids';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';

export interface Party {
  readonly status: UserView['status'];
  readonly hasPaymentAccount: boolean;
}

/** By their role, in the order in which they are checked. */
export interface Parties {
  readonly buyer: Party;
  readonly seller: Party;
}

type PartyRow = Row<'users', 'id' | 'status', { id: UserId }> & { has_payment_account: boolean };

/** Users are never deleted, so the parties of an order are always found. */
export async function findParties(
  tx: Tx,
  userIds: readonly UserId[],
): Promise<ReadonlyMap<UserId, Party>> {
  const rows = await tx.query<PartyRow>(sql`
    select u.id, u.status, u.payment_account_user_id is not null as has_payment_account
    from unnest(${userIds}::text[]) as wanted (id)
    join users u on u.marketplace_id = ${tx.marketplace} and u.id = wanted.id`);
  return new Map(
    rows.map((row) => [row.id, { status: row.status, hasPaymentAccount: row.has_payment_account }]),
  );
}
