//! Wallets of users: the only SQL that writes them.
import { type Instant, instantText } from '@holdfast/kernel/clock';
import { newId, type UserId, type WalletId } from '@holdfast/kernel/ids';
import type pg from 'pg';
import type { RowNumber } from '../../platform/database/database.ts';
import type { Tables } from '../../platform/database/generated/tables.ts';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import type { SealedWallet } from '../../providers/signing/signer.ts';

export interface Wallet {
  readonly id: WalletId;
  readonly userId: UserId;
  readonly status: 'WANTED' | 'KEYED' | 'READY';
  readonly address: string | null;
  /** The envelope that creates it on the network, once it is part of one. */
  readonly purpose: string | null;
}

/** Its seed, as the worker has it; null until there is one. */
export interface SealableWallet extends Wallet {
  readonly sealed: SealedWallet | null;
}

export interface KeyedWallet extends Wallet {
  readonly sealed: SealedWallet;
}

interface WalletIds {
  id: WalletId;
  user_id: UserId;
}

type WalletRow = Row<
  'wallet',
  Exclude<
    keyof Tables['wallet'],
    'marketplace_id' | 'next_try_at' | 'created_at' | 'ready_at' | 'stored_lsn'
  >,
  WalletIds
>;

/**
 * For users who have none. Written in the transaction that needs the wallets: after a crash at any
 * later point, they are still wanted.
 */
export async function wantWallets(tx: Tx, userIds: readonly UserId[]): Promise<void> {
  await tx.query(sql`
    insert into wallet (marketplace_id, id, user_id, status, created_at)
    select ${tx.marketplace}, wanted.id, wanted.user_id, 'WANTED', ${instantText(tx.now)}::timestamptz
    from unnest(${userIds.map(() => newId('wal', tx.now))}::text[], ${[...userIds]}::text[])
      as wanted (id, user_id)
    on conflict on constraint wallet_user_key do nothing`);
}

/** Without its seed, which the API server may not read. */
export async function findWallet(tx: Tx, userId: UserId): Promise<Wallet | undefined> {
  const [row] = await tx.query<
    Row<'wallet', 'id' | 'user_id' | 'status' | 'address' | 'purpose', WalletIds>
  >(sql`
    select id, user_id, status, address, purpose
    from wallet where marketplace_id = ${tx.marketplace} and user_id = ${userId}`);
  if (row === undefined) return undefined;
  const { id, status, address, purpose } = row;
  return { id, userId: row.user_id, status, address, purpose };
}

/** For the worker, which signs with it. */
export async function findSealedWallet(
  tx: Tx,
  userId: UserId,
): Promise<SealableWallet | undefined> {
  const [row] = await tx.query<WalletRow>(sql`
    select id, user_id, status, address, purpose, sealed_seed, wrapped_key, key_version
    from wallet where marketplace_id = ${tx.marketplace} and user_id = ${userId}`);
  return row && readWallet(row);
}

/** Of a user of this marketplace; undefined for any other address. */
export async function findWalletAt(tx: Tx, address: string): Promise<SealableWallet | undefined> {
  const [row] = await tx.query<WalletRow>(sql`
    select id, user_id, status, address, purpose, sealed_seed, wrapped_key, key_version
    from wallet where marketplace_id = ${tx.marketplace} and address = ${address}`);
  return row && readWallet(row);
}

/** For users whose wallet is on the network. */
export async function listReadyWallets(
  tx: Tx,
  userIds: readonly UserId[],
): Promise<ReadonlyMap<UserId, SealedWallet>> {
  const rows = await tx.query<WalletRow>(sql`
    select id, user_id, status, address, purpose, sealed_seed, wrapped_key, key_version
    from wallet where marketplace_id = ${tx.marketplace} and status = 'READY'
      and user_id = any (${[...userIds]}::text[])`);
  return new Map(
    rows
      .map(readWallet)
      .flatMap(({ userId, sealed }) => (sealed === null ? [] : [[userId, sealed]])),
  );
}

export async function listUnreadyWallets(tx: Tx, count: number): Promise<SealableWallet[]> {
  const rows = await tx.query<WalletRow>(sql`
    select id, user_id, status, address, purpose, sealed_seed, wrapped_key, key_version
    from wallet where marketplace_id = ${tx.marketplace} and status <> 'READY'
      and (next_try_at is null or next_try_at <= ${instantText(tx.now)})
    order by purpose nulls last, created_at limit ${count}`);
  return rows.map(readWallet);
}

/** False when another worker has set its key. */
export async function keyWallet(
  tx: Tx,
  { id, sealed }: KeyedWallet,
  purpose: string,
): Promise<boolean> {
  const moved = await tx.query(sql`
    update wallet set status = 'KEYED', address = ${sealed.address}, sealed_seed = ${sealed.sealedSeed},
      wrapped_key = ${sealed.wrappedKey.bytes}, key_version = ${sealed.wrappedKey.version}, purpose = ${purpose}
    where marketplace_id = ${tx.marketplace} and id = ${id} and status = 'WANTED' returning id`);
  return moved.length === 1;
}

/** Only after the commit of their seeds: PostgreSQL's log up to here then contains it. */
export async function recordStoredPosition(
  tx: Tx,
  wallets: readonly SealableWallet[],
): Promise<void> {
  await tx.query(sql`
    update wallet set stored_lsn = present.lsn
    from (select pg_current_wal_insert_lsn() as lsn) as present
    where marketplace_id = ${tx.marketplace} and id = any (${wallets.map(({ id }) => id)}::text[])
      and status = 'KEYED' and (stored_lsn is null or stored_lsn > present.lsn)`);
}

/** Whether a synchronous standby or the archive has the seeds of all of them. */
export async function areSeedsSafe(tx: Tx, wallets: readonly SealableWallet[]): Promise<boolean> {
  const [row] = await tx.query<{ is_safe: boolean }>(sql`
    select coalesce(bool_and(coalesce(wallet.stored_lsn <= safe.lsn, false)), true) as is_safe
    from wallet, (select greatest(flushed, archived) as lsn from work.durability()) as safe
    where marketplace_id = ${tx.marketplace} and id = any (${wallets.map(({ id }) => id)}::text[])
      and status = 'KEYED'`);
  return row?.is_safe === true;
}

export async function regroupWallet(
  tx: Tx,
  id: WalletId,
  purpose: string | null,
  nextTryAt: Instant,
): Promise<void> {
  await tx.query(sql`
    update wallet set purpose = ${purpose}, next_try_at = ${instantText(nextTryAt)}
    where marketplace_id = ${tx.marketplace} and id = ${id} and status = 'KEYED'`);
}

/** False when another worker made it ready. */
export async function readyWallet(tx: Tx, id: WalletId): Promise<boolean> {
  const moved = await tx.query(sql`
    update wallet set status = 'READY', ready_at = ${instantText(tx.now)}
    where marketplace_id = ${tx.marketplace} and id = ${id} and status = 'KEYED' returning id`);
  return moved.length === 1;
}

function readWallet(row: WalletRow): SealableWallet {
  const { address, sealed_seed: sealedSeed, wrapped_key: bytes, key_version: version } = row;
  const isSealed = address !== null && sealedSeed !== null && bytes !== null && version !== null;
  return {
    id: row.id,
    userId: row.user_id,
    status: row.status,
    address,
    purpose: row.purpose,
    sealed: isSealed ? { id: row.id, address, sealedSeed, wrappedKey: { version, bytes } } : null,
  };
}

const SCANNED_MAX = 500;

/** The marketplaces with wanted wallets: where to search, not the wallets themselves. */
export async function marketplacesWantingWallets(pool: pg.Pool): Promise<RowNumber[]> {
  const { rows } = await pool.query<{ marketplace_id: RowNumber }>(
    'select distinct marketplace_id from work.wallets_to_create($1)',
    [SCANNED_MAX],
  );
  return rows.map((row) => row.marketplace_id);
}
