//! Operators: the only SQL that writes them.
import { type OperatorState, operatorMachine } from '@holdfast/contract/machines/operator-machine';
import type { MembershipView } from '@holdfast/contract/records/operator-records';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { OperatorId } from '@holdfast/kernel/ids';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Transactor, Tx } from '../../platform/database/transact.ts';
import { emailKey } from '../../platform/email-key.ts';
import type { WrappedKey } from '../../providers/signing/key-wrapper.ts';

export interface Operator {
  readonly id: OperatorId;
  readonly email: string;
  readonly name: string;
  readonly status: OperatorState;
  readonly isPlatformAdmin: boolean;
  readonly memberships: readonly MembershipView[];
  /** An operator or `master`; null for one who has been activated. */
  readonly invitedBy: string | null;
  readonly invitationExpiresAt: Instant | null;
  readonly approvesFrom: Instant | null;
  readonly lastSignedInAt: Instant | null;
  readonly createdAt: Instant;
}

/** What an operator must know to sign in. */
export interface Credentials {
  readonly id: OperatorId;
  readonly email: string;
  readonly name: string;
  readonly status: Operator['status'];
  readonly isPlatformAdmin: boolean;
  /** Both undefined until the person has enrolled, and after a reset. */
  readonly passwordHash: string | undefined;
  readonly totp: WrappedKey | undefined;
}

type PersonRow = Row<
  'operator',
  'id' | 'email' | 'name' | 'status' | 'is_platform_admin',
  { id: OperatorId }
>;

type OperatorRow = PersonRow &
  Row<'operator', 'last_signed_in_at' | 'approves_from' | 'created_at'> & {
    memberships: MembershipView[] | null;
    invited_by: string | null;
    invitation_expires_at: Instant | null;
  };

type CredentialsRow = PersonRow &
  Row<'operator', 'password_hash' | 'totp_secret' | 'totp_key_version'>;

/** Runs before the operator is known, through the one function that needs no actor. */
export async function findCredentials(
  { pool }: Pick<Transactor, 'pool'>,
  email: string,
): Promise<Credentials | undefined> {
  const { rows } = await pool.query<CredentialsRow>({
    name: 'find-operator',
    text: 'select * from access.find_operator($1)',
    values: [emailKey(email)],
  });
  const [row] = rows;
  return (
    row && {
      id: row.id,
      email: row.email,
      name: row.name,
      status: row.status,
      isPlatformAdmin: row.is_platform_admin,
      passwordHash: row.password_hash ?? undefined,
      totp: wrappedKeyOf(row.totp_secret, row.totp_key_version),
    }
  );
}

/** Undefined while the two columns of a sealed secret are empty. */
export function wrappedKeyOf(bytes: Buffer | null, version: string | null): WrappedKey | undefined {
  return bytes === null || version === null ? undefined : { bytes, version };
}

/** False when another operator has this address. One with credentials is active at once. */
export async function insertOperator(
  tx: Tx,
  operator: Omit<Credentials, 'status'>,
): Promise<boolean> {
  const { id, email, name, passwordHash = null, totp, isPlatformAdmin } = operator;
  const status = passwordHash === null ? operatorMachine.initial : 'ACTIVE';
  const inserted = await tx.query(sql`
    insert into operator (id, email, email_key, name, password_hash, totp_secret, totp_key_version,
      status, is_platform_admin, created_at)
    values (${id}, ${email}, ${emailKey(email)}, ${name}, ${passwordHash},
      ${totp?.bytes ?? null}, ${totp?.version ?? null}, ${status}, ${isPlatformAdmin},
      ${instantText(tx.now)})
    on conflict do nothing returning id`);
  return inserted.length === 1;
}

export async function findOperator(tx: Tx, id: OperatorId): Promise<Operator | undefined> {
  const [row] = await tx.query<OperatorRow>(sql`
    select o.id, o.email, o.name, o.status, o.is_platform_admin, o.last_signed_in_at,
      o.approves_from, o.created_at, i.invited_by, i.expires_at as invitation_expires_at,
      (select json_agg(json_build_object('marketplaceId', m.public_id, 'marketplaceName', m.name,
          'role', b.role) order by m.name, m.id)
        from operator_membership b join marketplace m on m.id = b.marketplace_id
        where b.operator_id = o.id) as memberships
    from operator o
    left join operator_invitation i on i.operator_id = o.id
      and o.status in ('INVITED', 'ENROLLED')
    where o.id = ${id}`);
  return row && readOperator(row);
}

export async function listOperatorRows(
  tx: Tx,
  after: string | null,
  count: number,
): Promise<Operator[]> {
  const rows = await tx.query<OperatorRow>(sql`
    select o.id, o.email, o.name, o.status, o.is_platform_admin, o.last_signed_in_at,
      o.approves_from, o.created_at, i.invited_by, i.expires_at as invitation_expires_at,
      (select json_agg(json_build_object('marketplaceId', m.public_id, 'marketplaceName', m.name,
          'role', b.role) order by m.name, m.id)
        from operator_membership b join marketplace m on m.id = b.marketplace_id
        where b.operator_id = o.id) as memberships
    from operator o
    left join operator_invitation i on i.operator_id = o.id
      and o.status in ('INVITED', 'ENROLLED')
    where ${after}::text is null or o.id < ${after}
    order by o.id desc limit ${count}`);
  return rows.map(readOperator);
}

/** What a marketplace may know of an operator who acts in it. */
export interface OperatorName {
  readonly id: OperatorId;
  readonly name: string;
}

/** A marketplace's role cannot read the table itself. */
export async function listNameRows(
  tx: Tx,
  after: string | null,
  count: number,
): Promise<OperatorName[]> {
  return tx.query<OperatorName>(sql`
    select id, name from access.operator_names(${tx.marketplace}, ${after}, ${count})`);
}

const statusMove = (move: keyof typeof operatorMachine.moves) => operatorMachine.moves[move];

/**
 * The only statements that change a status, each guarded by its move. False when another call has
 * moved it meanwhile.
 */
export async function enrollRow(
  tx: Tx,
  id: OperatorId,
  { passwordHash, totp, step }: { passwordHash: string; totp: WrappedKey; step: number },
): Promise<boolean> {
  const { from, to } = statusMove('enroll');
  const moved = await tx.query(sql`
    update operator set status = ${to}, password_hash = ${passwordHash},
      totp_secret = ${totp.bytes}, totp_key_version = ${totp.version}, totp_step = ${step},
      failed_code_count = 0, locked_until = null
    where id = ${id} and status = any (${from})
    returning id`);
  return moved.length === 1;
}

/** With the very credentials whose confirmation code was checked. */
export async function activateRow(tx: Tx, id: OperatorId, passwordHash: string): Promise<boolean> {
  const { from, to } = statusMove('activate');
  const moved = await tx.query(sql`
    update operator set status = ${to}
    where id = ${id} and status = any (${from}) and password_hash = ${passwordHash}
    returning id`);
  return moved.length === 1;
}

/** Credentials that were never activated are deleted, so that enabling cannot activate them. */
export async function disableRow(tx: Tx, id: OperatorId): Promise<boolean> {
  const { from, to } = statusMove('disable');
  const moved = await tx.query(sql`
    update operator set status = ${to},
      password_hash = case when status = 'ACTIVE' then password_hash end,
      totp_secret = case when status = 'ACTIVE' then totp_secret end,
      totp_key_version = case when status = 'ACTIVE' then totp_key_version end
    where id = ${id} and status = any (${from})
    returning id`);
  return moved.length === 1;
}

/** False for an operator without credentials too. */
export async function enableRow(tx: Tx, id: OperatorId): Promise<boolean> {
  const { from, to } = statusMove('enable');
  const moved = await tx.query(sql`
    update operator set status = ${to}
    where id = ${id} and status = any (${from}) and password_hash is not null
    returning id`);
  return moved.length === 1;
}

/** Deletes the credentials: password and codes are invalid from now on, and a lock ends. */
export async function deleteCredentials(
  tx: Tx,
  id: OperatorId,
  move: 'void' | 'reset',
): Promise<boolean> {
  const { from, to } = statusMove(move);
  const moved = await tx.query(sql`
    update operator set status = ${to}, password_hash = null, totp_secret = null,
      totp_key_version = null, totp_step = 0, failed_code_count = 0, locked_until = null
    where id = ${id} and status = any (${from})
    returning id`);
  return moved.length === 1;
}

/** Never shortens a time that was set before. */
export async function setApprovesFrom(tx: Tx, id: OperatorId, from: Instant): Promise<void> {
  await tx.query(sql`
    update operator set approves_from = greatest(approves_from, ${instantText(from)}::timestamptz)
    where id = ${id}`);
}

export async function setPasswordRow(tx: Tx, id: OperatorId, hash: string): Promise<void> {
  await tx.query(sql`update operator set password_hash = ${hash} where id = ${id}`);
}

/**
 * Takes a code's step once, and clears the count of wrong codes. False for a step that was taken,
 * for any before it, and for an operator who is locked out.
 */
export async function takeTotpStep(tx: Tx, id: OperatorId, step: number): Promise<boolean> {
  const taken = await tx.query(sql`
    update operator set totp_step = ${step}, failed_code_count = 0, locked_until = null
    where id = ${id} and totp_step < ${step} and status = 'ACTIVE'
      and (locked_until is null or locked_until <= ${instantText(tx.now)})
    returning id`);
  return taken.length === 1;
}

/** What a code has proved. */
export interface TakenProof {
  readonly step: number;
  readonly action: string;
  readonly requestHash: string;
}

/** As `takeTotpStep`, by a function, since a marketplace's role cannot reach the table itself. */
export async function takeProof(
  tx: Tx,
  id: OperatorId,
  { step, action, requestHash }: TakenProof,
): Promise<boolean> {
  const [row] = await tx.query<{ taken: boolean }>(sql`
    select access.take_proof(${id}, ${step}, ${instantText(tx.now)}, ${action}, ${requestHash})
      as taken`);
  return row?.taken === true;
}

/** Wrong codes in a row by now; none while the operator is locked out. */
export async function countWrongCode(tx: Tx, id: OperatorId, isCounted: boolean): Promise<number> {
  const [row] = await tx.query<Row<'operator', 'failed_code_count'>>(sql`
    update operator set failed_code_count = failed_code_count + ${isCounted ? 1 : 0}
    where id = ${id} and (locked_until is null or locked_until <= ${instantText(tx.now)})
    returning failed_code_count`);
  return row?.failed_code_count ?? 0;
}

export async function lockUntil(tx: Tx, id: OperatorId, until: Instant): Promise<void> {
  await tx.query(sql`
    update operator set locked_until = ${instantText(until)} where id = ${id}`);
}

export async function recordSignIn(tx: Tx, id: OperatorId): Promise<void> {
  await tx.query(sql`
    update operator set last_signed_in_at = ${instantText(tx.now)} where id = ${id}`);
}

function readOperator(row: OperatorRow): Operator {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    status: row.status,
    isPlatformAdmin: row.is_platform_admin,
    memberships: row.memberships ?? [],
    invitedBy: row.invited_by,
    invitationExpiresAt: row.invitation_expires_at,
    approvesFrom: row.approves_from,
    lastSignedInAt: row.last_signed_in_at,
    createdAt: row.created_at,
  };
}
