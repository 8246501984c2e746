//! The wrapped keys of all wallets, of users, of the house and pooled: read and replaced by key
//! rotation.
import type { WalletId } from '@holdfast/kernel/ids';
import type pg from 'pg';
import type { WrappedKey } from '../../providers/signing/key-wrapper.ts';

export interface WalletKey {
  readonly table: 'wallet' | 'house_wallet' | 'pooled_wallet';
  readonly id: WalletId;
  readonly address: string;
  readonly wrapped: WrappedKey;
}

interface WalletKeyRow {
  table_name: WalletKey['table'];
  id: WalletId;
  address: string;
  wrapped_key: Buffer;
  key_version: string;
}

/** Row-level security binds owners too: a bound role would see no wallet and report success. */
export async function checkSeesAll(owner: pg.Pool): Promise<void> {
  const { rows } = await owner.query<{ sees_all: boolean }>(
    'select rolsuper or rolbypassrls as sees_all from pg_roles where rolname = current_user',
  );
  if (rows[0]?.sees_all !== true) {
    throw new Error('key rotation needs a role that row-level security does not bind');
  }
}

const AT_ONCE = 500;

/** Keys that another version than this one wraps. Over all marketplaces: as the tables' owner. */
export async function listWalletKeys(owner: pg.Pool, notVersion: string): Promise<WalletKey[]> {
  const { rows } = await owner.query<WalletKeyRow>(
    `select 'wallet' as table_name, id, address, wrapped_key, key_version from wallet
     where key_version <> $1
     union all
     select 'house_wallet', id, address, wrapped_key, key_version from house_wallet
     where key_version <> $1
     union all
     select 'pooled_wallet', id, address, wrapped_key, key_version from pooled_wallet
     where key_version <> $1 limit $2`,
    [notVersion, AT_ONCE],
  );
  return rows.map((row) => ({
    table: row.table_name,
    id: row.id,
    address: row.address,
    wrapped: { version: row.key_version, bytes: row.wrapped_key },
  }));
}

/** False when another process has replaced it meanwhile, or a user has taken the pooled wallet. */
export async function replaceWalletKey(
  owner: pg.Pool,
  { table, id, wrapped }: WalletKey,
  next: WrappedKey,
): Promise<boolean> {
  const { rowCount } = await owner.query(
    `update ${table} set wrapped_key = $2, key_version = $3
     where id = $1 and key_version = $4 and wrapped_key = $5`,
    [id, next.bytes, next.version, wrapped.version, wrapped.bytes],
  );
  return rowCount === 1;
}
