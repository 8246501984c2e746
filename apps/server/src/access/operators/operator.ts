//! Operators and their memberships: the only SQL that writes them.
import type { MembershipView, OperatorView } from '@holdfast/contract/records/operator-records';
import type { OperatorRole } from '@holdfast/contract/roles';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { MarketplaceId, OperatorId } from '@holdfast/kernel/ids';
import type { RowNumber } from '../../platform/database/database.ts';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Transactor, Tx } from '../../platform/database/transact.ts';
import { emailKey } from '../../platform/email-key.ts';
import type { WrappedKey } from '../../providers/signing/key-wrapper.ts';

export interface Operator {
  readonly id: OperatorId;
  readonly email: string;
  readonly name: string;
  readonly status: OperatorView['status'];
  readonly isPlatformAdmin: boolean;
  readonly memberships: readonly MembershipView[];
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
  readonly passwordHash: string;
  readonly totp: WrappedKey;
}

type PersonRow = Row<
  'operator',
  'id' | 'email' | 'name' | 'status' | 'is_platform_admin',
  { id: OperatorId }
>;

type OperatorRow = PersonRow &
  Row<'operator', 'last_signed_in_at' | 'created_at'> & { memberships: MembershipView[] | null };

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
      passwordHash: row.password_hash,
      totp: { version: row.totp_key_version, bytes: row.totp_secret },
    }
  );
}

/** False when another operator has this address. */
export async function insertOperator(
  tx: Tx,
  operator: Omit<Credentials, 'status'>,
): Promise<boolean> {
  const { id, email, name, passwordHash, totp, isPlatformAdmin } = operator;
  const inserted = await tx.query(sql`
    insert into operator (id, email, email_key, name, password_hash, totp_secret, totp_key_version,
      status, is_platform_admin, created_at)
    values (${id}, ${email}, ${emailKey(email)}, ${name}, ${passwordHash}, ${totp.bytes},
      ${totp.version}, 'ACTIVE', ${isPlatformAdmin}, ${instantText(tx.now)})
    on conflict do nothing returning id`);
  return inserted.length === 1;
}

export async function findOperator(tx: Tx, id: OperatorId): Promise<Operator | undefined> {
  const [row] = await tx.query<OperatorRow>(sql`
    select o.id, o.email, o.name, o.status, o.is_platform_admin, o.last_signed_in_at, o.created_at,
      (select json_agg(json_build_object('marketplaceId', m.public_id, 'marketplaceName', m.name,
          'role', b.role) order by m.name, m.id)
        from operator_membership b join marketplace m on m.id = b.marketplace_id
        where b.operator_id = o.id) as memberships
    from operator o where o.id = ${id}`);
  return row && readOperator(row);
}

export async function listOperatorRows(
  tx: Tx,
  after: string | null,
  count: number,
): Promise<Operator[]> {
  const rows = await tx.query<OperatorRow>(sql`
    select o.id, o.email, o.name, o.status, o.is_platform_admin, o.last_signed_in_at, o.created_at,
      (select json_agg(json_build_object('marketplaceId', m.public_id, 'marketplaceName', m.name,
          'role', b.role) order by m.name, m.id)
        from operator_membership b join marketplace m on m.id = b.marketplace_id
        where b.operator_id = o.id) as memberships
    from operator o where ${after}::text is null or o.id < ${after}
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

export interface Membership {
  readonly marketplaceId: MarketplaceId;
  readonly role: OperatorRole;
}

/** A role that was given or taken, in a marketplace. */
export interface MembershipChange {
  readonly marketplace: RowNumber;
  readonly before: OperatorRole | null;
  readonly after: OperatorRole | null;
}

export interface ReplacedMemberships {
  readonly changes: readonly MembershipChange[];
  /** Marketplaces that do not exist. */
  readonly unknown: readonly MarketplaceId[];
}

/** Replaces all of them at once. */
export async function replaceMemberships(
  tx: Tx,
  id: OperatorId,
  wanted: readonly Membership[],
): Promise<ReplacedMemberships> {
  const [marketplaces, roles] = [wanted.map((m) => m.marketplaceId), wanted.map((m) => m.role)];
  const gone = await tx.query<MembershipRow>(sql`
    delete from operator_membership where operator_id = ${id} returning marketplace_id, role`);
  const inserted = await tx.query<MembershipRow & { public_id: MarketplaceId }>(sql`
    with made as (
      insert into operator_membership (marketplace_id, operator_id, role, created_at)
      select m.id, ${id}, wanted.role, ${instantText(tx.now)}::timestamptz
      from unnest(${marketplaces}::text[], ${roles}::text[]) as wanted (public_id, role)
      join marketplace m on m.public_id = wanted.public_id
      returning marketplace_id, role)
    select made.marketplace_id, made.role, m.public_id
    from made join marketplace m on m.id = made.marketplace_id`);
  const [before, after] = [roleByMarketplace(gone), roleByMarketplace(inserted)];
  const changes = [...new Set([...before.keys(), ...after.keys()])]
    .map((marketplace) => ({
      marketplace,
      before: before.get(marketplace) ?? null,
      after: after.get(marketplace) ?? null,
    }))
    .filter((change) => change.before !== change.after);
  const known = new Set(inserted.map((row) => row.public_id));
  return { changes, unknown: marketplaces.filter((each) => !known.has(each)) };
}

type MembershipRow = Row<'operator_membership', 'marketplace_id' | 'role'>;

function roleByMarketplace(rows: readonly MembershipRow[]): Map<RowNumber, OperatorRole> {
  return new Map(rows.map((row) => [row.marketplace_id, row.role]));
}

export async function setStatusRow(
  tx: Tx,
  id: OperatorId,
  status: Operator['status'],
): Promise<void> {
  await tx.query(sql`update operator set status = ${status} where id = ${id}`);
}

export async function setPasswordRow(tx: Tx, id: OperatorId, hash: string): Promise<void> {
  await tx.query(sql`update operator set password_hash = ${hash} where id = ${id}`);
}

/** Codes of the old secret are invalid from now on. */
export async function setTotpRow(tx: Tx, id: OperatorId, totp: WrappedKey): Promise<void> {
  await tx.query(sql`
    update operator set totp_secret = ${totp.bytes}, totp_key_version = ${totp.version},
      totp_step = 0, failed_code_count = 0, locked_until = null
    where id = ${id}`);
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
    lastSignedInAt: row.last_signed_in_at,
    createdAt: row.created_at,
  };
}
