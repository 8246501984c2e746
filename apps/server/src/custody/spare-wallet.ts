//! Spare wallets, finished or on their way and not yet anybody's: the only SQL on their table.
//!
//! All but the taking stands outside of serializable transactions: one that looked for a free spare
//! would have read what every other one writes.
import { type Clock, type Instant, instantText } from '@holdfast/kernel/clock';
import type { WalletId } from '@holdfast/kernel/ids';
import type pg from 'pg';
import { sql } from '../platform/sql.ts';
import type { Tx } from '../platform/transact.ts';
import type { SealedWallet } from '../providers/signer.ts';

export interface SpareWallet extends SealedWallet {
  readonly purpose: string;
}

interface SpareWalletRow {
  id: WalletId;
  address: string;
  sealed_seed: Buffer;
  wrapped_key: Buffer;
  key_version: string;
  purpose: string;
}

/** Undefined when none is free. Whoever does not take it gives it back. */
export async function claimSpareWallet({
  pool,
  clock,
}: {
  readonly pool: pg.Pool;
  readonly clock: Clock;
}): Promise<WalletId | undefined> {
  const {
    rows: [claimed],
  } = await pool.query<{ id: WalletId }>(
    `update spare_wallet set claimed_at = $1 where id = (
       select id from spare_wallet where status = 'READY' and claimed_at is null
       order by id limit 1 for update skip locked)
     returning id`,
    [instantText(clock.now())],
  );
  return claimed?.id;
}

/** Free for the next one, if it is still there. */
export async function giveBackSpareWallet(pool: pg.Pool, id: WalletId): Promise<void> {
  await pool.query('update spare_wallet set claimed_at = null where id = $1', [id]);
}

/** Those of processes that died between claiming and taking. */
export async function giveBackOldClaims(pool: pg.Pool, olderThan: Instant): Promise<number> {
  const { rowCount } = await pool.query(
    'update spare_wallet set claimed_at = null where claimed_at < $1',
    [instantText(olderThan)],
  );
  return rowCount ?? 0;
}

/**
 * Out of the stock for good, if the transaction commits; undefined when it is not there any more.
 * As it is now and not as it was when claimed: its key may have been wrapped anew.
 */
export async function takeSpareWallet(tx: Tx, id: WalletId): Promise<SpareWallet | undefined> {
  const [row] = await tx.query<SpareWalletRow>(sql`
    select id, address, sealed_seed, wrapped_key, key_version, purpose
    from take_spare_wallet(${id})`);
  return row && readSpareWallet(row);
}

export interface Stock {
  /** Free ones, and those on their way. */
  readonly count: number;
  readonly openGroups: number;
  readonly isPaused: boolean;
  /** Old claims to give back, refused ones to forget. */
  readonly hasLeftovers: boolean;
}

export async function countSpareWallets(
  pool: pg.Pool,
  now: Instant,
  claimedBefore: Instant,
): Promise<Stock> {
  const { rows } = await pool.query<Stock>(
    `select count(*) filter (where status <> 'REFUSED' and claimed_at is null)::int as count,
       count(distinct purpose) filter (where status = 'KEYED')::int as "openGroups",
       count(*) filter (where status = 'REFUSED') > 0 as "isPaused",
       count(*) filter (where claimed_at < $2
         or status = 'REFUSED' and next_try_at <= $1) > 0 as "hasLeftovers"
     from spare_wallet`,
    [instantText(now), instantText(claimedBefore)],
  );
  return rows[0] as Stock;
}

/** The wallets of one envelope. */
export async function insertSpareWallets(
  pool: pg.Pool,
  clock: Clock,
  purpose: string,
  wallets: readonly SealedWallet[],
): Promise<void> {
  await pool.query(
    `insert into spare_wallet (id, status, address, sealed_seed, wrapped_key, key_version, purpose, created_at)
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

/** Envelopes that are to be brought to their effect now. */
export async function listOpenPurposes(pool: pg.Pool, now: Instant): Promise<string[]> {
  const { rows } = await pool.query<{ purpose: string }>(
    `select distinct purpose from spare_wallet
     where status = 'KEYED' and (next_try_at is null or next_try_at <= $1) order by purpose`,
    [instantText(now)],
  );
  return rows.map(({ purpose }) => purpose);
}

export async function listKeyedSpareWallets(
  pool: pg.Pool,
  purpose: string,
): Promise<SpareWallet[]> {
  const { rows } = await pool.query<SpareWalletRow>(
    `select id, address, sealed_seed, wrapped_key, key_version, purpose
     from spare_wallet where purpose = $1 and status = 'KEYED' order by id`,
    [purpose],
  );
  return rows.map(readSpareWallet);
}

export async function readySpareWallets(pool: pg.Pool, purpose: string): Promise<number> {
  const { rowCount } = await pool.query(
    `update spare_wallet set status = 'READY', next_try_at = null
     where purpose = $1 and status = 'KEYED'`,
    [purpose],
  );
  return rowCount ?? 0;
}

export async function postponeSpareWallets(
  pool: pg.Pool,
  purpose: string,
  status: 'KEYED' | 'REFUSED',
  nextTryAt: Instant,
): Promise<void> {
  await pool.query(
    `update spare_wallet set status = $2, next_try_at = $3 where purpose = $1 and status = 'KEYED'`,
    [purpose, status, instantText(nextTryAt)],
  );
}

/** Their envelope provably never took effect, so their addresses are nowhere but here. */
export async function forgetRefusedSpareWallets(pool: pg.Pool, now: Instant): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from spare_wallet where status = 'REFUSED' and next_try_at <= $1`,
    [instantText(now)],
  );
  return rowCount ?? 0;
}

function readSpareWallet(row: SpareWalletRow): SpareWallet {
  return {
    id: row.id,
    address: row.address,
    sealedSeed: row.sealed_seed,
    wrappedKey: { version: row.key_version, bytes: row.wrapped_key },
    purpose: row.purpose,
  };
}
