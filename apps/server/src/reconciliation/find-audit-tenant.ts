//! Finds the marketplace whose audit log records actions that belong to no marketplace.
import type pg from 'pg';
import type { Config } from '../config.ts';
import type { RowNumber } from '../platform/database.ts';
import { HOUSE } from './house-snapshot.ts';
import { findAuditMarketplace } from './run.ts';

export async function findAuditTenant({
  pool,
  config,
}: {
  readonly pool: pg.Pool;
  readonly config: Config;
}): Promise<RowNumber> {
  return (await findAuditMarketplace(pool, config)) ?? HOUSE;
}
