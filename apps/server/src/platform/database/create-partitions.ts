//! Creates the monthly partitions of journal, log and audit ahead of time.
import type pg from 'pg';

const MONTHS_AHEAD = 3;

export async function createPartitions({ pool }: { readonly pool: pg.Pool }): Promise<number> {
  const {
    rows: [created],
  } = await pool.query<{ count: number }>('select create_month_partitions($1) as count', [
    MONTHS_AHEAD,
  ]);
  return created?.count ?? 0;
}
