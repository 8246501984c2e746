//! Finds the operator's own marketplace, which stands for the house, and the one that audits it.
import type pg from 'pg';
import type { Config } from '../../platform/config/config.ts';
import type { RowNumber } from '../../platform/database/database.ts';

/**
 * The marketplace whose runs cover everything without an owner: the configured one, or the only
 * one. Null: there are several and none is configured.
 */
export async function findHouseMarketplace(
  pool: pg.Pool,
  { HOLDFAST_HOUSE_MARKETPLACE: named, HOLDFAST_SURFACE_B_MARKETPLACE: builtIn }: Config,
): Promise<RowNumber | null> {
  const { rows } = await pool.query<{ id: RowNumber | null }>(
    'select work.house_marketplace($1) as id',
    [named ?? builtIn ?? null],
  );
  return rows[0]?.id ?? null;
}

/**
 * The marketplace where actions of the house are audited: the operator's own. Where there is none
 * it is the oldest, and sums are left out. Null while there is no marketplace.
 */
export async function findAuditMarketplace(
  pool: pg.Pool,
  config: Config,
): Promise<RowNumber | null> {
  const house = await findHouseMarketplace(pool, config);
  if (house !== null) return house;
  const { rows } = await pool.query<{ id: RowNumber | null }>(
    'select work.oldest_marketplace() as id',
  );
  return rows[0]?.id ?? null;
}
