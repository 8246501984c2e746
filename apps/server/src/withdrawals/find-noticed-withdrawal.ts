//! Whose a pay-out is that the payment provider tells of: found by its name or by ours.
import type { WithdrawalId } from '@holdfast/kernel/ids';
import type pg from 'pg';
import type { RowNumber } from '../platform/database.ts';

export interface NoticedWithdrawal {
  readonly marketplace: RowNumber;
  readonly withdrawalId: WithdrawalId;
}

export async function findNoticedWithdrawal(
  pool: pg.Pool,
  { id, code }: { readonly id: string | null; readonly code: string | null },
): Promise<NoticedWithdrawal | undefined> {
  const { rows } = await pool.query<{ marketplace_id: RowNumber; withdrawal_id: WithdrawalId }>(
    'select marketplace_id, withdrawal_id from work.withdrawal_of_payout($1, $2)',
    [id, code],
  );
  const [row] = rows;
  return row && { marketplace: row.marketplace_id, withdrawalId: row.withdrawal_id };
}
