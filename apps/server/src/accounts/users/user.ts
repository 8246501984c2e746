//! Users: the only SQL that writes them.
import type { UserView } from '@holdfast/contract/records';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { UserId } from '@holdfast/kernel/ids';
import type { Tables } from '../../platform/database/generated/tables.ts';
import { type CreatedFilter, type IdRange, idRange } from '../../platform/database/id-range.ts';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';

export interface User {
  readonly id: UserId;
  readonly externalUserId: string;
  readonly email: string | null;
  readonly type: UserView['type'];
  readonly status: UserView['status'];
  readonly depositCurrency: UserView['depositCurrency'];
  readonly paymentAccountUserId: string | null;
  readonly linkedAt: Instant | null;
  readonly ledgerAddress: string | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

type UserRow = Row<
  'users',
  Exclude<keyof Tables['users'], 'marketplace_id' | 'email_key' | 'last_frozen_at'>,
  { id: UserId }
> & { ledger_address: string | null };

/** False when the marketplace has a user with this external id already. */
export async function insertUser(tx: Tx, user: User): Promise<boolean> {
  const inserted = await tx.query(sql`
    insert into users (marketplace_id, id, external_user_id, email, type, status, deposit_currency,
      created_at, updated_at)
    values (${tx.marketplace}, ${user.id}, ${user.externalUserId}, ${user.email}, ${user.type},
      ${user.status}, ${user.depositCurrency}, ${instantText(user.createdAt)}, ${instantText(user.updatedAt)})
    on conflict on constraint users_external_user_id_key do nothing returning id`);
  return inserted.length === 1;
}

export async function findUser(tx: Tx, id: UserId): Promise<User | undefined> {
  const [row] = await tx.query<UserRow>(sql`
    select id, external_user_id, email, type, status, deposit_currency, payment_account_user_id,
      payment_account_linked_at, created_at, updated_at,
      (select w.address from wallet w where w.marketplace_id = users.marketplace_id
        and w.user_id = users.id and w.status = 'READY') as ledger_address
    from users where marketplace_id = ${tx.marketplace} and id = ${id}`);
  return row && readUser(row);
}

export async function findUserByExternalId(
  tx: Tx,
  externalUserId: string,
): Promise<User | undefined> {
  const [row] = await tx.query<UserRow>(sql`
    select id, external_user_id, email, type, status, deposit_currency, payment_account_user_id,
      payment_account_linked_at, created_at, updated_at,
      (select w.address from wallet w where w.marketplace_id = users.marketplace_id
        and w.user_id = users.id and w.status = 'READY') as ledger_address
    from users where marketplace_id = ${tx.marketplace} and external_user_id = ${externalUserId}`);
  return row && readUser(row);
}

/** False when another user of the marketplace holds the account. */
export async function linkPaymentAccountRow(
  tx: Tx,
  id: UserId,
  accountId: string,
): Promise<boolean> {
  const [taken] = await tx.query(sql`
    select 1 from users where marketplace_id = ${tx.marketplace}
      and payment_account_user_id = ${accountId} and id <> ${id}`);
  if (taken !== undefined) return false;
  await tx.query(sql`
    update users set payment_account_user_id = ${accountId},
      payment_account_linked_at = ${instantText(tx.now)}, updated_at = ${instantText(tx.now)}
    where marketplace_id = ${tx.marketplace} and id = ${id}`);
  return true;
}

/** True when the user was in the other state; nothing is written otherwise. */
export async function moveUserStatus(
  tx: Tx,
  id: UserId,
  from: User['status'],
  to: User['status'],
): Promise<boolean> {
  const moved = await tx.query(sql`
    update users set status = ${to}, updated_at = ${instantText(tx.now)},
      last_frozen_at = case when ${to} = 'SUSPENDED' then ${instantText(tx.now)}::timestamptz
        else last_frozen_at end
    where marketplace_id = ${tx.marketplace} and id = ${id} and status = ${from} returning id`);
  return moved.length === 1;
}

export interface UserFilter extends CreatedFilter {
  readonly status?: User['status'];
  readonly email?: string;
  readonly externalUserId?: string;
}

/** Newest first. */
export async function listUserRows(
  tx: Tx,
  filter: UserFilter,
  after: string | null,
  count: number,
): Promise<User[]> {
  const { email, externalUserId, status = null } = filter;
  const { from, below } = idRange('usr', filter, after);
  if (email !== undefined || externalUserId !== undefined)
    return listNamedRows(tx, filter, { from, below }, count);
  const rows = await tx.query<UserRow>(sql`
    select id, external_user_id, email, type, status, deposit_currency, payment_account_user_id,
      payment_account_linked_at, created_at, updated_at,
      (select w.address from wallet w where w.marketplace_id = users.marketplace_id
        and w.user_id = users.id and w.status = 'READY') as ledger_address
    from users
    where marketplace_id = ${tx.marketplace} and id >= ${from} and id < ${below}
      and (${status}::text is null or status = ${status})
    order by id desc limit ${count}`);
  return rows.map(readUser);
}

/**
 * An external id names at most one user, an e-mail address any number. As the one element of a
 * list, the address is no constant to the planner: only the index of addresses is in this order, so
 * that it cannot go through the users by id instead, past all that are newer.
 */
async function listNamedRows(
  tx: Tx,
  filter: UserFilter,
  { from, below }: Pick<IdRange, 'from' | 'below'>,
  count: number,
): Promise<User[]> {
  const { email, externalUserId, status } = { email: null, status: null, ...filter };
  const rows = await tx.query<UserRow>(
    externalUserId === undefined
      ? sql`
    select id, external_user_id, email, type, status, deposit_currency, payment_account_user_id,
      payment_account_linked_at, created_at, updated_at,
      (select w.address from wallet w where w.marketplace_id = users.marketplace_id
        and w.user_id = users.id and w.status = 'READY') as ledger_address
    from users
    where email_key = any(array[lower(${email})]) and marketplace_id = ${tx.marketplace}
      and id >= ${from} and id < ${below}
      and (${status}::text is null or status = ${status})
    order by email_key desc, id desc limit ${count}`
      : sql`
    select id, external_user_id, email, type, status, deposit_currency, payment_account_user_id,
      payment_account_linked_at, created_at, updated_at,
      (select w.address from wallet w where w.marketplace_id = users.marketplace_id
        and w.user_id = users.id and w.status = 'READY') as ledger_address
    from users
    where marketplace_id = ${tx.marketplace} and external_user_id = ${externalUserId}
      and id >= ${from} and id < ${below}
      and (${email}::text is null or email_key = lower(${email}))
      and (${status}::text is null or status = ${status})
    limit ${count}`,
  );
  return rows.map(readUser);
}

function readUser(row: UserRow): User {
  return {
    id: row.id,
    externalUserId: row.external_user_id,
    email: row.email,
    type: row.type,
    status: row.status,
    depositCurrency: row.deposit_currency,
    paymentAccountUserId: row.payment_account_user_id,
    linkedAt: row.payment_account_linked_at,
    ledgerAddress: row.ledger_address,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
