//! Lists withdrawals, newest first, by filter.
import type { WithdrawalState } from '@holdfast/contract/machines/withdrawal-machine';
import { readInstant } from '@holdfast/kernel/clock';
import { idFloor, type UserId, type WithdrawalId } from '@holdfast/kernel/ids';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import { findWithdrawals, hasEnded, type Withdrawal } from './withdrawal.ts';

export interface WithdrawalFilter {
  readonly status?: WithdrawalState;
  readonly userId?: UserId;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
}

/** Sorts after every id. */
const ID_CEILING = 'wd_~';

export async function listWithdrawalRows(
  tx: Tx,
  filter: WithdrawalFilter,
  after: string | null,
  count: number,
): Promise<Withdrawal[]> {
  const floor = (text: string) => idFloor('wd', readInstant(text) ?? 0);
  const { createdAfter, createdBefore } = filter;
  const from = createdAfter === undefined ? idFloor('wd', 0) : floor(createdAfter);
  const ends = createdBefore === undefined ? ID_CEILING : floor(createdBefore);
  const below = after !== null && after < ends ? after : ends;
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
