//! Lists withdrawals, newest first: GET /withdrawals.
import type { Call } from '../../platform/call.ts';
import { type Page, type PageQuery, pageOf } from '../../platform/database/page.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { shownTo } from '../../platform/mask.ts';
import type { Withdrawal } from './withdrawal.ts';
import { listWithdrawalRows, type WithdrawalFilter } from './withdrawal-list.ts';

export async function listWithdrawals(
  app: Transactor,
  call: Call,
  query: PageQuery & WithdrawalFilter,
): Promise<Page<Withdrawal>> {
  return read(app, call, (tx) =>
    pageOf(query, async (after, count) =>
      shownTo(tx.actor, await listWithdrawalRows(tx, query, after, count)),
    ),
  );
}
