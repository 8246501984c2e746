//! Finds the withdrawal behind a payout, by the payment provider's id or by ours.
import type { WithdrawalId } from '@holdfast/kernel/ids';
import type pg from 'pg';
import type { RowNumber } from '../../platform/database/database.ts';

export interface WithdrawalRef {
  readonly marketplace: RowNumber;
  readonly withdrawalId: WithdrawalId;
}

export async function findWithdrawalByPayout(
  pool: pg.Pool,
  { id, code }: { readonly id: string | null; readonly code: string | null },
): Promise<WithdrawalRef | undefined> {
  const { rows } = await pool.query<{ marketplace_id: RowNumber; withdrawal_id: WithdrawalId }>(
    'select marketplace_id, withdrawal_id from work.withdrawal_of_payout($1, $2)',
    [id, code],
  );
  const [row] = rows;
  return row && { marketplace: row.marketplace_id, withdrawalId: row.withdrawal_id };
}
