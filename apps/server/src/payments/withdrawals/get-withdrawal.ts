//! Gets a withdrawal: GET /withdrawals/{id}.
import { refuse } from '@holdfast/contract/errors';
import type { WithdrawalId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { shownTo } from '../../platform/mask.ts';
import { findWithdrawal, type Withdrawal } from './withdrawal.ts';

export async function getWithdrawal(
  app: Transactor,
  call: Call,
  withdrawalId: WithdrawalId,
): Promise<Withdrawal> {
  const found = await read(app, call, (tx) => findWithdrawal(tx, withdrawalId));
  return shownTo(call.actor, found ?? refuse('WITHDRAWAL_NOT_FOUND', { withdrawalId }));
}
