//! Finds the top-up behind a pay-in: the payment provider names the pay-in, never a marketplace.
import type { TopupId } from '@holdfast/kernel/ids';
import type pg from 'pg';
import type { RowNumber } from '../../platform/database/database.ts';

export interface TopupRef {
  readonly marketplace: RowNumber;
  readonly topupId: TopupId;
}

/**
 * By our own id or by the provider's; the first one that is known decides. Searches all
 * marketplaces, and returns only the owner and the id.
 */
export async function findTopupByPayin(
  pool: pg.Pool,
  names: readonly (string | null)[],
): Promise<TopupRef | undefined> {
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
