//! Finds the marketplace whose audit log records actions that belong to no marketplace.
import type pg from 'pg';
import type { Config } from '../../platform/config/config.ts';
import type { RowNumber } from '../../platform/database/database.ts';
import { findAuditMarketplace } from './house-marketplace.ts';
import { HOUSE } from './house-snapshot.ts';

export async function findAuditTenant({
  pool,
  config,
}: {
  readonly pool: pg.Pool;
  readonly config: Config;
}): Promise<RowNumber> {
  return (await findAuditMarketplace(pool, config)) ?? HOUSE;
}
