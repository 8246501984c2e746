//! Finds and claims the payouts that are due for a poll: often while a payout is young, rarely when
//! it waits weeks for its recipient.
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { WithdrawalId } from '@holdfast/kernel/ids';
import type pg from 'pg';
import type { RowNumber } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import { findWithdrawal, type Withdrawal } from './withdrawal.ts';

const WAIT_MS_MIN = 5_000;
const WAIT_MS_MAX = 3_600_000;
/** The wait is this fraction of the age. */
const AGE_DIVISOR = 5;

export function nextPollAt(
  { committedAt, createdAt }: Pick<Withdrawal, 'committedAt' | 'createdAt'>,
  now: Instant,
): Instant {
  const age = now - (committedAt ?? createdAt);
  const wait = Math.floor(age / AGE_DIVISOR);
  return now + Math.min(WAIT_MS_MAX, Math.max(WAIT_MS_MIN, wait));
}

export interface DuePayout {
  readonly marketplace: RowNumber;
  readonly withdrawalId: WithdrawalId;
}

/** Searches all marketplaces, and returns only which payouts are due. */
export async function listDuePayouts(
  pool: pg.Pool,
  count: number,
  now: Instant,
): Promise<DuePayout[]> {
  const { rows } = await pool.query<{ marketplace_id: RowNumber; id: WithdrawalId }>(
    'select marketplace_id, id from work.withdrawals_to_poll($1, $2)',
    [count, instantText(now)],
  );
  return rows.map(({ marketplace_id: marketplace, id }) => ({ marketplace, withdrawalId: id }));
}

/** Returns the withdrawal to the first worker that claims a due poll; undefined to all others. */
export async function claimPoll(tx: Tx, id: WithdrawalId): Promise<Withdrawal | undefined> {
  const withdrawal = await findWithdrawal(tx, id);
  if (withdrawal === undefined) return undefined;
  const taken = await tx.query(sql`
    update withdrawal set next_poll_at = ${instantText(nextPollAt(withdrawal, tx.now))}
    where marketplace_id = ${tx.marketplace} and id = ${id}
      and next_poll_at <= ${instantText(tx.now)} returning id`);
  return taken.length === 1 ? withdrawal : undefined;
}
