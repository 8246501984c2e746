//! Writes a marketplace's history directly into the database: see history.sql.
import { readFileSync } from 'node:fs';
import type pg from 'pg';

/** By the owner of the tables. */
export async function writeHistory(
  owner: pg.Client,
  marketplaceRow: string,
  orders: number,
): Promise<void> {
  const text = readFileSync(new URL('history.sql', import.meta.url), 'utf8')
    .replaceAll(':marketplace', marketplaceRow)
    .replaceAll(':orders', String(orders));
  await owner.query(text);
  await owner.query('vacuum analyze');
}
