//! Shows a withdrawal's recipient and records who read it: POST /withdrawals/{id}/reveal.
import { refuse } from '@holdfast/contract/errors';
import type { WithdrawalId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { type Transactor, transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { findWithdrawal, type Withdrawal } from './withdrawal.ts';

export async function revealWithdrawal(
  app: Transactor,
  call: Call,
  withdrawalId: WithdrawalId,
  { reason }: { readonly reason: string },
): Promise<Withdrawal> {
  return transact(app, call, async (tx) => {
    const withdrawal =
      (await findWithdrawal(tx, withdrawalId)) ?? refuse('WITHDRAWAL_NOT_FOUND', { withdrawalId });
    await audit(tx, {
      action: 'PERSONAL_DATA_REVEALED',
      resourceType: 'Withdrawal',
      resourceId: withdrawalId,
      reason,
    });
    return withdrawal;
  });
}
