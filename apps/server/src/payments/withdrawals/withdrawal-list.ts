//! Lists withdrawals, newest first, by filter.
import type { WithdrawalState } from '@holdfast/contract/machines/withdrawal-machine';
import type { UserId, WithdrawalId } from '@holdfast/kernel/ids';
import { type CreatedFilter, idRange } from '../../platform/database/id-range.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import { findWithdrawals, hasEnded, type Withdrawal } from './withdrawal.ts';

export interface WithdrawalFilter extends CreatedFilter {
  readonly status?: WithdrawalState;
  readonly userId?: UserId;
}

export async function listWithdrawalRows(
  tx: Tx,
  filter: WithdrawalFilter,
  after: string | null,
  count: number,
): Promise<Withdrawal[]> {
  const { from, below } = idRange('wd', filter, after);
  const rows = await listIds(tx, filter, from, below, count);
  const ids = rows.map(({ id }) => id);
  return ids.length === 0 ? [] : findWithdrawals(tx, ids);
}

/** As for orders: the filter that an index serves has a statement of its own. */
function listIds(
  tx: Tx,
  { status, userId }: WithdrawalFilter,
  from: string,
  below: string,
  count: number,
): Promise<{ id: WithdrawalId }[]> {
  if (userId !== undefined)
    return tx.query(sql`
      select id from withdrawal
      where user_id = ${userId} and id >= ${from} and id < ${below}
        and marketplace_id = ${tx.marketplace}
        and (${status ?? null}::text is null or status = ${status ?? null})
      order by id desc limit ${count}`);
  if (status !== undefined && !hasEnded({ status }))
    return tx.query(sql`
      select id from withdrawal
      where status = ${status} and id >= ${from} and id < ${below}
        and status not in ('WITHDRAWAL_COMPLETED', 'WITHDRAWAL_FAILED', 'WITHDRAWAL_CANCELED')
        and marketplace_id = ${tx.marketplace}
      order by id desc limit ${count}`);
  return tx.query(sql`
    select id from withdrawal
    where marketplace_id = ${tx.marketplace} and id >= ${from} and id < ${below}
      and (${status ?? null}::text is null or status = ${status ?? null})
    order by id desc limit ${count}`);
}
