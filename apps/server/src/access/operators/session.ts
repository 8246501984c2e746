//! Sessions of operators: a random token in a cookie, its hash in PostgreSQL.
import { hash } from 'node:crypto';
import { SESSION_SECONDS } from '@holdfast/contract/limits';
import type { OperatorRole } from '@holdfast/contract/roles';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import { type MarketplaceId, newId, type OperatorId, type SessionId } from '@holdfast/kernel/ids';
import { randomBytes } from '@holdfast/kernel/random';
import type { RowNumber } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Transactor, Tx } from '../../platform/database/transact.ts';

const TOKEN_BYTES = 32;

export function newSessionToken(): string {
  return Buffer.from(randomBytes(TOKEN_BYTES)).toString('base64url');
}

const digest = (text: string) => hash('sha256', text, 'buffer');

export interface OpenedSession {
  readonly id: RowNumber;
  readonly expiresAt: Instant;
}

/** The client of a sign-in. */
export interface SessionClient {
  readonly address: string;
  readonly userAgent: string;
}

const SHOWN_AGENT_MAX = 300;

export async function insertSession(
  tx: Tx,
  operatorId: OperatorId,
  token: string,
  { address, userAgent }: SessionClient,
  at: Instant,
): Promise<OpenedSession> {
  const now = instantText(at);
  const expiresAt = at + SESSION_SECONDS.maximum * 1000;
  const [row] = await tx.query<{ id: RowNumber }>(sql`
    insert into operator_session (public_id, token_hash, operator_id, user_agent_hash, address,
      user_agent, created_at, last_seen_at, expires_at)
    values (${newId('ses', at)}, ${digest(token)}, ${operatorId}, ${digest(userAgent)}, ${address},
      ${userAgent.slice(0, SHOWN_AGENT_MAX)}, ${now}, ${now}, ${instantText(expiresAt)})
    returning id`);
  return { id: (row as { id: RowNumber }).id, expiresAt };
}

/** Ends all sessions of an operator, or all but one. */
export async function endSessions(
  tx: Tx,
  operatorId: OperatorId,
  but: RowNumber | null = null,
): Promise<void> {
  await tx.query(sql`
    update operator_session set ended_at = ${instantText(tx.now)}
    where operator_id = ${operatorId} and ended_at is null
      and (${but}::bigint is null or id <> ${but})`);
}

export async function endSession(tx: Tx, id: RowNumber): Promise<void> {
  await tx.query(sql`
    update operator_session set ended_at = ${instantText(tx.now)}
    where id = ${id} and ended_at is null`);
}

/** False for a session of another operator, and for one that has ended. */
export async function endOwnSession(
  tx: Tx,
  operatorId: OperatorId,
  id: SessionId,
): Promise<boolean> {
  const ended = await tx.query(sql`
    update operator_session set ended_at = ${instantText(tx.now)}
    where operator_id = ${operatorId} and public_id = ${id} and ended_at is null
    returning id`);
  return ended.length === 1;
}

export interface OpenSession extends SessionClient {
  readonly id: SessionId;
  readonly isCurrent: boolean;
  readonly createdAt: Instant;
  readonly lastSeenAt: Instant;
  readonly expiresAt: Instant;
}

const SHOWN_SESSIONS_MAX = 100;

/** Newest first. */
export async function listOpenSessions(
  tx: Tx,
  operatorId: OperatorId,
  current: RowNumber,
): Promise<OpenSession[]> {
  const idleSince = instantText(tx.now - SESSION_SECONDS.idle * 1000);
  return tx.query<OpenSession>(sql`
    select public_id as id, id = ${current} as "isCurrent", address, user_agent as "userAgent",
      created_at as "createdAt", last_seen_at as "lastSeenAt", expires_at as "expiresAt"
    from operator_session
    where operator_id = ${operatorId} and ended_at is null
      and expires_at > ${instantText(tx.now)} and last_seen_at > ${idleSince}
    order by operator_session.id desc limit ${SHOWN_SESSIONS_MAX}`);
}

export interface FoundSession {
  readonly session_id: RowNumber;
  readonly expires_at: Instant;
  readonly operator_id: OperatorId;
  readonly email: string;
  readonly name: string;
  readonly is_platform_admin: boolean;
  /** The three are null where the operator has no role in the marketplace that was named. */
  readonly marketplace_id: RowNumber | null;
  readonly marketplace_public_id: MarketplaceId | null;
  readonly role: OperatorRole | null;
}

/** The operator of a session that is still valid. Read on each request, since sessions can end. */
export async function findSession(
  { pool, clock }: Pick<Transactor, 'pool' | 'clock'>,
  token: string,
  userAgent: string,
  marketplaceId: string | undefined,
): Promise<FoundSession | undefined> {
  const { rows } = await pool.query<FoundSession>({
    name: 'use-session',
    text: 'select * from access.resolve_session($1, $2, $3, make_interval(secs => $4), $5)',
    values: [
      digest(token),
      digest(userAgent),
      instantText(clock.now()),
      SESSION_SECONDS.idle,
      marketplaceId ?? null,
    ],
  });
  return rows[0];
}

/** A session that is in use in a marketplace. */
export interface SessionMembership {
  readonly session: RowNumber;
  readonly marketplace: RowNumber;
}

/** Which of these have ended by now: the session, or the membership. */
export async function findEndedMemberships(
  { pool, clock }: Pick<Transactor, 'pool' | 'clock'>,
  memberships: readonly SessionMembership[],
): Promise<SessionMembership[]> {
  const { rows } = await pool.query<{ ordinal: number }>({
    name: 'ended-seats',
    text: 'select access.inactive_memberships($1, $2, $3, make_interval(secs => $4)) as ordinal',
    values: [
      memberships.map(({ session }) => session),
      memberships.map(({ marketplace }) => marketplace),
      instantText(clock.now()),
      SESSION_SECONDS.idle,
    ],
  });
  return rows.map(({ ordinal }) => memberships[ordinal - 1] as SessionMembership);
}
