//! Pooled wallets, finished or in progress, that have no user yet: the only SQL that writes them.
//!
//! Only the taking runs in a serializable transaction. A search for a free wallet inside one would
//! read rows that every other such transaction writes.
import { type Clock, type Instant, instantText } from '@holdfast/kernel/clock';
import type { UserId, WalletId } from '@holdfast/kernel/ids';
import type pg from 'pg';
import type { Config } from '../../platform/config/config.ts';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import type { SealedWallet } from '../../providers/signing/signer.ts';

export interface PooledWallet extends SealedWallet {
  readonly purpose: string;
}

type PooledWalletRow = Row<
  'pooled_wallet',
  'id' | 'address' | 'sealed_seed' | 'wrapped_key' | 'key_version' | 'purpose',
  { id: WalletId }
>;

export interface PooledWalletTaker {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly config: Pick<Config, 'HOLDFAST_DURABILITY'>;
}

/**
 * Undefined when none is free whose seed would survive the loss of this server: money that is sent
 * to an address without its seed is lost. A caller that does not take the wallet returns it. None
 * is taken while the database is closed: a user may have it already, by a write that is lost.
 */
export async function claimPooledWallet({
  pool,
  clock,
  config,
}: PooledWalletTaker): Promise<WalletId | undefined> {
  const {
    rows: [claimed],
  } = await pool.query<Pick<PooledWalletRow, 'id'>>(
    `update pooled_wallet set claimed_at = $1 where id = (
       select id from pooled_wallet
       where status = 'READY' and claimed_at is null and lineage_status() = 'OPEN'
         and ($2 or stored_lsn <= (select greatest(flushed, archived) from work.durability()))
       order by id limit 1 for update skip locked)
     returning id`,
    [instantText(clock.now()), config.HOLDFAST_DURABILITY === 'none'],
  );
  return claimed?.id;
}

/** Frees it for the next caller, if it is still there. */
export async function returnPooledWallet(pool: pg.Pool, id: WalletId): Promise<void> {
  await pool.query('update pooled_wallet set claimed_at = null where id = $1', [id]);
}

/** Frees the claims of processes that died between claiming and taking. */
export async function releaseOldClaims(pool: pg.Pool, olderThan: Instant): Promise<number> {
  const { rowCount } = await pool.query(
    'update pooled_wallet set claimed_at = null where claimed_at < $1',
    [instantText(olderThan)],
  );
  return rowCount ?? 0;
}

/**
 * Makes it the wallet of this user for good, if the transaction commits. Returns its address;
 * undefined when it is gone.
 */
export async function takePooledWallet(
  tx: Tx,
  id: WalletId,
  userId: UserId,
): Promise<string | undefined> {
  const [row] = await tx.query<{ address: string | null }>(sql`
    select case when lineage_status() = 'OPEN'
      then custody.take_pooled_wallet(${instantText(tx.now)}, ${id}, ${userId}) end as address`);
  return row?.address ?? undefined;
}

export interface Stock {
  /** Free wallets, and those in progress. */
  readonly count: number;
  readonly openGroups: number;
  readonly isPaused: boolean;
  /** Old claims to return, refused wallets to purge, positions of the log to read. */
  readonly hasLeftovers: boolean;
}

export async function countPooledWallets(
  pool: pg.Pool,
  now: Instant,
  claimedBefore: Instant,
): Promise<Stock> {
  const { rows } = await pool.query<Stock>(
    `select count(*) filter (where status in ('KEYED', 'READY') and claimed_at is null)::int as count,
       count(distinct purpose) filter (where status = 'KEYED')::int as "openGroups",
       count(*) filter (where status = 'REFUSED') > 0 as "isPaused",
       count(*) filter (where claimed_at < $2
         or status = 'REFUSED' and next_try_at <= $1
         or stored_lsn is null or stored_lsn > present.lsn) > 0 as "hasLeftovers"
     from pooled_wallet, (select pg_current_wal_insert_lsn() as lsn) as present`,
    [instantText(now), instantText(claimedBefore)],
  );
  return rows[0] as Stock;
}

/** The wallets of one envelope. */
export async function insertPooledWallets(
  pool: pg.Pool,
  clock: Clock,
  purpose: string,
  wallets: readonly SealedWallet[],
): Promise<void> {
  await pool.query(
    `insert into pooled_wallet (id, status, address, sealed_seed, wrapped_key, key_version, purpose, created_at)
     select id, 'KEYED', address, sealed_seed, wrapped_key, key_version, $6, $7
     from unnest($1::text[], $2::text[], $3::bytea[], $4::bytea[], $5::text[])
       as made (id, address, sealed_seed, wrapped_key, key_version)`,
    [
      wallets.map(({ id }) => id),
      wallets.map(({ address }) => address),
      wallets.map(({ sealedSeed }) => sealedSeed),
      wallets.map(({ wrappedKey }) => wrappedKey.bytes),
      wallets.map(({ wrappedKey }) => wrappedKey.version),
      purpose,
      instantText(clock.now()),
    ],
  );
}

/**
 * Only after the commit of their rows: the log up to here then contains it. A position ahead of the
 * log is another server's, from which the rows were moved by a dump.
 */
export async function recordStoredPositions(pool: pg.Pool): Promise<void> {
  await pool.query(
    `update pooled_wallet set stored_lsn = present.lsn
     from (select pg_current_wal_insert_lsn() as lsn) as present
     where stored_lsn is null or stored_lsn > present.lsn`,
  );
}

/** Envelopes that are due to be settled now. */
export async function listOpenPurposes(pool: pg.Pool, now: Instant): Promise<string[]> {
  const { rows } = await pool.query<Pick<PooledWalletRow, 'purpose'>>(
    `select distinct purpose from pooled_wallet
     where status = 'KEYED' and (next_try_at is null or next_try_at <= $1) order by purpose`,
    [instantText(now)],
  );
  return rows.map(({ purpose }) => purpose);
}

export async function listKeyedPooledWallets(
  pool: pg.Pool,
  purpose: string,
): Promise<PooledWallet[]> {
  const { rows } = await pool.query<PooledWalletRow>(
    `select id, address, sealed_seed, wrapped_key, key_version, purpose
     from pooled_wallet where purpose = $1 and status = 'KEYED' order by id`,
    [purpose],
  );
  return rows.map(readPooledWallet);
}

export async function markPooledWalletsReady(pool: pg.Pool, purpose: string): Promise<number> {
  const { rowCount } = await pool.query(
    `update pooled_wallet set status = 'READY', next_try_at = null
     where purpose = $1 and status = 'KEYED'`,
    [purpose],
  );
  return rowCount ?? 0;
}

export async function postponePooledWallets(
  pool: pg.Pool,
  purpose: string,
  status: 'KEYED' | 'REFUSED',
  nextTryAt: Instant,
): Promise<void> {
  await pool.query(
    `update pooled_wallet set status = $2, next_try_at = $3 where purpose = $1 and status = 'KEYED'`,
    [purpose, status, instantText(nextTryAt)],
  );
}

/** Their envelope provably never took effect, so their addresses exist only here. */
export async function purgeRefusedWallets(pool: pg.Pool, now: Instant): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from pooled_wallet where status = 'REFUSED' and next_try_at <= $1`,
    [instantText(now)],
  );
  return rowCount ?? 0;
}

/**
 * All of them: after a restore, each may be a user's by a write that is lost. Their seeds stay, for
 * money that is sent there.
 */
export async function retirePooledWallets(tx: Tx): Promise<number> {
  const retired = await tx.query(sql`
    update pooled_wallet set status = 'RETIRED', claimed_at = null, next_try_at = null
    where status <> 'RETIRED' returning id`);
  return retired.length;
}

function readPooledWallet(row: PooledWalletRow): PooledWallet {
  return {
    id: row.id,
    address: row.address,
    sealedSeed: row.sealed_seed,
    wrappedKey: { version: row.key_version, bytes: row.wrapped_key },
    purpose: row.purpose,
  };
}
