//! Finds whose top-up the payment provider speaks of: it names a pay-in, never a marketplace.
import type { TopupId } from '@holdfast/kernel/ids';
import type pg from 'pg';
import type { RowNumber } from '../platform/database.ts';

export interface NoticedTopup {
  readonly marketplace: RowNumber;
  readonly topupId: TopupId;
}

/**
 * By our own id, or by the provider's; the first that is known decides. Over all marketplaces:
 * whose it is, and nothing else of it.
 */
export async function findNoticedTopup(
  pool: pg.Pool,
  names: readonly (string | null)[],
): Promise<NoticedTopup | undefined> {
  for (const name of names) {
    if (name === null) continue;
    const { rows } = await pool.query<{ marketplace_id: RowNumber; topup_id: TopupId }>(
      'select marketplace_id, topup_id from work.topup_of_payin($1)',
      [name],
    );
    const [row] = rows;
    if (row !== undefined) return { marketplace: row.marketplace_id, topupId: row.topup_id };
  }
  return undefined;
}
