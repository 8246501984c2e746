//! Reads withdrawals.
import { refuse } from '@holdfast/contract/errors';
import type { WithdrawalId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { type Page, type PageQuery, pageOf } from '../../platform/database/page.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { shownTo } from '../../platform/mask.ts';
import { findWithdrawal, type Withdrawal } from './withdrawal.ts';
import { listWithdrawalRows, type WithdrawalFilter } from './withdrawal-list.ts';

/** GET /withdrawals/{id}. */
export async function getWithdrawal(
  app: Transactor,
  call: Call,
  withdrawalId: WithdrawalId,
): Promise<Withdrawal> {
  const found = await read(app, call, (tx) => findWithdrawal(tx, withdrawalId));
  return shownTo(call.actor, found ?? refuse('WITHDRAWAL_NOT_FOUND', { withdrawalId }));
}

/** GET /withdrawals: newest first. */
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
