//! Invitations: the only SQL that writes them. A random token in a link, its hash in PostgreSQL.
import { hash } from 'node:crypto';
import { INVITATION_HOURS } from '@holdfast/contract/limits';
import { sites } from '@holdfast/contract/sites';
import { assert } from '@holdfast/kernel/assert';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { OperatorId } from '@holdfast/kernel/ids';
import { randomBytes } from '@holdfast/kernel/random';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Transactor, Tx } from '../../platform/database/transact.ts';
import type { WrappedKey } from '../../providers/signing/key-wrapper.ts';
import { type Credentials, wrappedKeyOf } from '../operators/operator.ts';
import type { OperatorApp } from '../operators/operator-auth.ts';

const TOKEN_BYTES = 32;
const SALT_BYTES = 32;
const HOUR_MS = 3_600_000;

const digest = (token: string) => hash('sha256', token, 'buffer');

/** Returned once, to the caller who invited. */
export interface IssuedInvitation {
  readonly link: string;
  readonly expiresAt: Instant;
}

/**
 * Replaces the invitation before. The token is in the part of the link that a browser sends to no
 * server, so no log has it.
 */
export async function insertInvitation(
  { operators }: Pick<OperatorApp, 'operators'>,
  tx: Tx,
  operatorId: OperatorId,
): Promise<IssuedInvitation> {
  const token = Buffer.from(randomBytes(TOKEN_BYTES)).toString('base64url');
  const expiresAt = tx.now + INVITATION_HOURS * HOUR_MS;
  await tx.query(sql`delete from operator_invitation where operator_id = ${operatorId}`);
  await tx.query(sql`
    insert into operator_invitation (operator_id, token_hash, invited_by, expires_at, created_at)
    values (${operatorId}, ${digest(token)}, ${tx.actor.id}, ${instantText(expiresAt)},
      ${instantText(tx.now)})`);
  const { publicUrl = '' } = operators;
  return { link: `${publicUrl}${sites.openConsole.path}/enroll#${token}`, expiresAt };
}

/** An invitation that can still be used, and the person it is for. */
export interface OpenInvitation
  extends Pick<Credentials, 'id' | 'email' | 'name' | 'isPlatformAdmin' | 'totp'> {
  readonly expiresAt: Instant;
}

type InvitationRow = Row<
  'operator',
  'id' | 'email' | 'name' | 'is_platform_admin',
  { id: OperatorId }
> &
  Row<'operator_invitation', 'expires_at' | 'totp_secret' | 'totp_key_version'>;

/** Undefined for a token that is wrong, was used, was replaced or has expired. */
export async function findInvitation(
  { pool, clock }: Pick<Transactor, 'pool' | 'clock'>,
  token: string,
): Promise<OpenInvitation | undefined> {
  const { rows } = await pool.query<InvitationRow>({
    name: 'find-invitation',
    text: 'select * from access.find_invitation($1, $2)',
    values: [digest(token), instantText(clock.now())],
  });
  const [row] = rows;
  return (
    row && {
      id: row.id,
      email: row.email,
      name: row.name,
      isPlatformAdmin: row.is_platform_admin,
      expiresAt: row.expires_at,
      totp: wrappedKeyOf(row.totp_secret, row.totp_key_version),
    }
  );
}

/** False when the invitation can no longer be used. */
export async function setShownSecret(tx: Tx, token: string, totp: WrappedKey): Promise<boolean> {
  const written = await tx.query(sql`
    update operator_invitation
    set totp_secret = ${totp.bytes}, totp_key_version = ${totp.version}
    where token_hash = ${digest(token)} and used_at is null
      and expires_at > ${instantText(tx.now)}
    returning operator_id`);
  return written.length === 1;
}

/**
 * Uses the invitation up, if the secret is still the one that was shown last; returns the salt of
 * the confirmation code. Undefined when the invitation can no longer be used.
 */
export async function useInvitation(
  tx: Tx,
  token: string,
  shown: WrappedKey,
): Promise<Uint8Array | undefined> {
  const salt = Buffer.from(randomBytes(SALT_BYTES));
  const used = await tx.query(sql`
    update operator_invitation
    set used_at = ${instantText(tx.now)}, confirmation_salt = ${salt}, totp_secret = null,
      totp_key_version = null
    where token_hash = ${digest(token)} and used_at is null
      and expires_at > ${instantText(tx.now)} and totp_secret = ${shown.bytes}
    returning operator_id`);
  return used.length === 1 ? salt : undefined;
}

/** Credentials that wait for their activation. */
export interface EnrolledCredentials {
  readonly id: OperatorId;
  readonly passwordHash: string;
  readonly totp: WrappedKey;
  readonly salt: Uint8Array;
}

type EnrolledRow = Row<'operator', 'password_hash' | 'totp_secret' | 'totp_key_version'> &
  Row<'operator_invitation', 'confirmation_salt'>;

export async function findEnrolled(
  tx: Tx,
  id: OperatorId,
): Promise<EnrolledCredentials | undefined> {
  const [row] = await tx.query<EnrolledRow>(sql`
    select o.password_hash, o.totp_secret, o.totp_key_version, i.confirmation_salt
    from operator o join operator_invitation i on i.operator_id = o.id
    where o.id = ${id} and o.status = 'ENROLLED' and i.used_at is not null`);
  if (row === undefined) return undefined;
  const { password_hash: passwordHash, confirmation_salt: salt } = row;
  const totp = wrappedKeyOf(row.totp_secret, row.totp_key_version);
  assert(passwordHash !== null && salt !== null && totp !== undefined, 'both tables check it');
  return { id, passwordHash, totp, salt };
}

/** Wrong confirmation codes by now. */
export async function countWrongConfirmation(tx: Tx, id: OperatorId): Promise<number> {
  const [row] = await tx.query<Row<'operator_invitation', 'wrong_code_count'>>(sql`
    update operator_invitation set wrong_code_count = wrong_code_count + 1
    where operator_id = ${id} returning wrong_code_count`);
  assert(row !== undefined, 'an enrolled operator has an invitation');
  return row.wrong_code_count;
}
