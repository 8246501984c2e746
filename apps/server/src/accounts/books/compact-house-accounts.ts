//! Compacts the deltas of house accounts: a background job, so that their balance stays a short
//! sum.
import type pg from 'pg';

const DELTAS_MIN = 50;

export async function compactHouseAccounts({ pool }: { readonly pool: pg.Pool }): Promise<number> {
  const { rows } = await pool.query<{ marketplace: string }>(
    'select books.marketplaces_to_compact($1) as marketplace',
    [DELTAS_MIN],
  );
  let compacted = 0;
  for (const { marketplace } of rows) {
    const {
      rows: [done],
    } = await pool.query<{ count: string }>('select books.compact_house_deltas($1) as count', [
      marketplace,
    ]);
    compacted += Number(done?.count ?? 0);
  }
  return compacted;
}
