//! Folds the parts of house accounts: a background job, so that their balance stays a short sum.
import type pg from 'pg';

const WORTH_FOLDING = 50;

export async function foldHouseAccounts({ pool }: { readonly pool: pg.Pool }): Promise<number> {
  const { rows } = await pool.query<{ marketplace: string }>(
    'select books.unfolded_marketplaces($1) as marketplace',
    [WORTH_FOLDING],
  );
  let folded = 0;
  for (const { marketplace } of rows) {
    const {
      rows: [done],
    } = await pool.query<{ count: string }>('select books.fold_house_parts($1) as count', [
      marketplace,
    ]);
    folded += Number(done?.count ?? 0);
  }
  return folded;
}
