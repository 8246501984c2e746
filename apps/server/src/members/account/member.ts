//! Members and the wallets they name: the only SQL that writes them.
import { hash } from 'node:crypto';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import { newId, type UserId, type WalletId } from '@holdfast/kernel/ids';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import { emailKey } from '../../platform/email-key.ts';

export interface Member {
  readonly userId: UserId;
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
  readonly tokensSince: Instant;
  /** A member whose user is frozen has no access. */
  readonly isActive: boolean;
}

type MemberRow = Row<
  'member',
  'user_id' | 'email' | 'name' | 'password_hash' | 'tokens_valid_from',
  { user_id: UserId }
> &
  Row<'users', 'last_frozen_at'> & { is_active: boolean };

/** False when a member has registered with this address. */
export async function insertMember(
  tx: Tx,
  member: Pick<Member, 'userId' | 'email' | 'name' | 'passwordHash'>,
): Promise<boolean> {
  const { userId, email, name, passwordHash } = member;
  const now = instantText(tx.now);
  const inserted = await tx.query(sql`
    insert into member (marketplace_id, user_id, email, email_key, name, password_hash, tokens_valid_from,
      created_at)
    values (${tx.marketplace}, ${userId}, ${email}, ${emailKey(email)}, ${name}, ${passwordHash},
      ${now}, ${now})
    on conflict do nothing returning user_id`);
  return inserted.length === 1;
}

export async function findMemberByEmail(tx: Tx, email: string): Promise<Member | undefined> {
  const [row] = await tx.query<MemberRow>(sql`
    select m.user_id, m.email, m.name, m.password_hash, m.tokens_valid_from, u.last_frozen_at,
      u.status = 'ACTIVE' as is_active
    from member m join users u on u.marketplace_id = m.marketplace_id and u.id = m.user_id
    where m.marketplace_id = ${tx.marketplace} and m.email_key = ${emailKey(email)}`);
  return row && readMember(row);
}

export async function findMember(tx: Tx, userId: UserId): Promise<Member | undefined> {
  const [row] = await tx.query<MemberRow>(sql`
    select m.user_id, m.email, m.name, m.password_hash, m.tokens_valid_from, u.last_frozen_at,
      u.status = 'ACTIVE' as is_active
    from member m join users u on u.marketplace_id = m.marketplace_id and u.id = m.user_id
    where m.marketplace_id = ${tx.marketplace} and m.user_id = ${userId}`);
  return row && readMember(row);
}

/** Tokens issued before now are invalid from now on. */
export async function endTokens(tx: Tx, userId: UserId): Promise<void> {
  await tx.query(sql`
    update member set tokens_valid_from = ${instantText(tx.now + 1)}
    where marketplace_id = ${tx.marketplace} and user_id = ${userId}`);
}

/** False where the user is no member. */
export async function setResetToken(
  tx: Tx,
  userId: UserId,
  token: string,
  expiresAt: Instant,
): Promise<boolean> {
  const set = await tx.query(sql`
    update member set reset_token_hash = ${hashOf(token)}, reset_expires_at = ${instantText(expiresAt)}
    where marketplace_id = ${tx.marketplace} and user_id = ${userId} returning user_id`);
  return set.length === 1;
}

/** Undefined for a token that was used, replaced or never issued, or that has expired. */
export async function findMemberByResetToken(tx: Tx, token: string): Promise<Member | undefined> {
  const [row] = await tx.query<MemberRow>(sql`
    select m.user_id, m.email, m.name, m.password_hash, m.tokens_valid_from, u.last_frozen_at,
      u.status = 'ACTIVE' as is_active
    from member m join users u on u.marketplace_id = m.marketplace_id and u.id = m.user_id
    where m.marketplace_id = ${tx.marketplace} and m.reset_token_hash = ${hashOf(token)}
      and m.reset_expires_at > ${instantText(tx.now)}`);
  return row && readMember(row);
}

/** Ends all tokens, reset tokens too. False when the password is no longer the one before. */
export async function replacePassword(
  tx: Tx,
  userId: UserId,
  before: string,
  after: string,
): Promise<boolean> {
  const replaced = await tx.query(sql`
    update member set password_hash = ${after}, tokens_valid_from = ${instantText(tx.now + 1)},
      reset_token_hash = null, reset_expires_at = null
    where marketplace_id = ${tx.marketplace} and user_id = ${userId}
      and password_hash = ${before} returning user_id`);
  return replaced.length === 1;
}

function hashOf(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

export interface WalletLink {
  readonly id: WalletId;
  readonly publicKey: string;
  readonly connectedAt: Instant;
  readonly provenAt: Instant | null;
}

type WalletLinkRow = Row<
  'wallet_link',
  'id' | 'public_key' | 'connected_at' | 'proven_at',
  { id: WalletId }
>;

/** The same wallet again is the same link; a proof is never withdrawn. */
export async function linkWallet(
  tx: Tx,
  userId: UserId,
  publicKey: string,
  isProven: boolean,
): Promise<{ readonly link: WalletLink; readonly isNew: boolean }> {
  const now = instantText(tx.now);
  const inserted = await tx.query(sql`
    insert into wallet_link (marketplace_id, id, user_id, public_key, connected_at)
    values (${tx.marketplace}, ${newId('wal', tx.now)}, ${userId}, ${publicKey}, ${now})
    on conflict on constraint wallet_link_key do nothing returning id`);
  const [row] = await tx.query<WalletLinkRow>(sql`
    update wallet_link set proven_at = coalesce(proven_at, case when ${isProven} then ${now}::timestamptz end)
    where marketplace_id = ${tx.marketplace} and user_id = ${userId} and public_key = ${publicKey}
    returning id, public_key, connected_at, proven_at`);
  return { link: readLink(row as WalletLinkRow), isNew: inserted.length === 1 };
}

export async function listWalletLinks(tx: Tx, userId: UserId): Promise<WalletLink[]> {
  const rows = await tx.query<WalletLinkRow>(sql`
    select id, public_key, connected_at, proven_at from wallet_link
    where marketplace_id = ${tx.marketplace} and user_id = ${userId} order by id desc`);
  return rows.map(readLink);
}

function readMember(row: MemberRow): Member {
  return {
    userId: row.user_id,
    email: row.email,
    name: row.name,
    passwordHash: row.password_hash,
    tokensSince: Math.max(row.tokens_valid_from, (row.last_frozen_at ?? 0) + 1),
    isActive: row.is_active,
  };
}

function readLink(row: WalletLinkRow): WalletLink {
  return {
    id: row.id,
    publicKey: row.public_key,
    connectedAt: row.connected_at,
    provenAt: row.proven_at,
  };
}
