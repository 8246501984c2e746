//! Whose turn it is to be looked at, and for whom.
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { WithdrawalId } from '@holdfast/kernel/ids';
import type pg from 'pg';
import type { RowNumber } from '../platform/database.ts';
import { sql } from '../platform/sql.ts';
import type { Tx } from '../platform/transact.ts';
import { nextLookAt } from './look-times.ts';
import { findWithdrawal, type Withdrawal } from './withdrawal.ts';

export interface DuePayout {
  readonly marketplace: RowNumber;
  readonly withdrawalId: WithdrawalId;
}

/** Over all marketplaces: where to look, not what is there. */
export async function listDuePayouts(
  pool: pg.Pool,
  count: number,
  now: Instant,
): Promise<DuePayout[]> {
  const { rows } = await pool.query<{ marketplace_id: RowNumber; id: WithdrawalId }>(
    'select marketplace_id, id from work.withdrawals_to_look_at($1, $2)',
    [count, instantText(now)],
  );
  return rows.map(({ marketplace_id: marketplace, id }) => ({ marketplace, withdrawalId: id }));
}

/** The look, for whoever comes first when it is due; undefined for everybody else. */
export async function takeLook(tx: Tx, id: WithdrawalId): Promise<Withdrawal | undefined> {
  const withdrawal = await findWithdrawal(tx, id);
  if (withdrawal === undefined) return undefined;
  const taken = await tx.query(sql`
    update withdrawal set next_look_at = ${instantText(nextLookAt(withdrawal, tx.now))}
    where marketplace_id = ${tx.marketplace} and id = ${id}
      and next_look_at <= ${instantText(tx.now)} returning id`);
  return taken.length === 1 ? withdrawal : undefined;
}
