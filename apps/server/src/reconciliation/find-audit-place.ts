//! Finds the marketplace in which deeds are audited that are no marketplace's own.
import type pg from 'pg';
import type { Config } from '../config.ts';
import type { RowNumber } from '../platform/database.ts';
import { findAuditMarketplace } from './run.ts';
import { HOUSE } from './sight-house.ts';

export async function findAuditPlace({
  pool,
  config,
}: {
  readonly pool: pg.Pool;
  readonly config: Config;
}): Promise<RowNumber> {
  return (await findAuditMarketplace(pool, config)) ?? HOUSE;
}
