//! Wallets of the house: the only SQL that writes them.
import { type Clock, type Instant, instantText } from '@holdfast/kernel/clock';
import type { WalletId } from '@holdfast/kernel/ids';
import type pg from 'pg';
import type { Tables } from '../../platform/database/generated/tables.ts';
import type { Row } from '../../platform/database/row.ts';
import type { SealedWallet } from '../../providers/signing/signer.ts';

/** The house belongs to no marketplace; its envelopes are stored under this number. */
export const HOUSE = '0';

export type HouseWalletKind = 'treasury' | 'platform' | 'channel' | 'resolver';

/**
 * Channels and resolvers are pools: the network takes one transaction per account at a time. The
 * number of channels never changes in a deployment: each withdrawal has its own among them.
 */
export const HOUSE_WALLETS: Readonly<Record<HouseWalletKind, number>> = {
  treasury: 1,
  platform: 1,
  channel: 4,
  resolver: 4,
};

/** What every process may know of it. */
export interface HouseAddress {
  readonly kind: HouseWalletKind;
  readonly number: number;
  readonly address: string;
  /** When it became able to hold USDC. */
  readonly trustedAt: Instant | null;
}

export interface HouseWallet extends HouseAddress, SealedWallet {}

type HouseWalletRow = Row<
  'house_wallet',
  Exclude<keyof Tables['house_wallet'], 'created_at'>,
  { id: WalletId }
>;

/** Without their seeds, which the API server may not read. */
export async function listHouseAddresses(pool: pg.Pool): Promise<HouseAddress[]> {
  const { rows } = await pool.query<
    Pick<HouseWalletRow, 'kind' | 'number' | 'address' | 'trusted_at'>
  >('select kind, number, address, trusted_at from house_wallet order by kind, number');
  return rows.map(({ trusted_at: trustedAt, ...row }) => ({ ...row, trustedAt }));
}

/** The treasury first: it pays for the other wallets as soon as it can. */
export async function listHouseWallets(pool: pg.Pool): Promise<HouseWallet[]> {
  const { rows } = await pool.query<HouseWalletRow>(
    `select id, kind, number, address, sealed_seed, wrapped_key, key_version, trusted_at
     from house_wallet order by kind <> 'treasury', kind, number`,
  );
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    number: row.number,
    address: row.address,
    sealedSeed: row.sealed_seed,
    wrappedKey: { version: row.key_version, bytes: row.wrapped_key },
    trustedAt: row.trusted_at,
  }));
}

/** The first process to create a wallet for a slot wins; the other's seed is dropped unused. */
export async function insertHouseWallet(
  pool: pg.Pool,
  clock: Clock,
  wallet: Omit<HouseWallet, 'trustedAt'>,
): Promise<void> {
  await pool.query(
    `insert into house_wallet (id, kind, number, address, sealed_seed, wrapped_key, key_version, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing`,
    [
      wallet.id,
      wallet.kind,
      wallet.number,
      wallet.address,
      wallet.sealedSeed,
      wallet.wrappedKey.bytes,
      wallet.wrappedKey.version,
      instantText(clock.now()),
    ],
  );
}

export async function trustHouseWallet(pool: pg.Pool, clock: Clock, id: WalletId): Promise<void> {
  await pool.query('update house_wallet set trusted_at = $2 where id = $1 and trusted_at is null', [
    id,
    instantText(clock.now()),
  ]);
}
