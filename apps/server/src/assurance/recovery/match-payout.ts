//! Finds the withdrawal that a payment on the network was for, after the database has lost the
//! record of the payment.
import { terminalStates } from '@holdfast/contract/machine';
import { withdrawalMachine } from '@holdfast/contract/machines/withdrawal-machine';
import type { UserId, WithdrawalId } from '@holdfast/kernel/ids';
import { findOpenOperation, type Operation } from '../../engine/operation.ts';
import { COMMIT, startPayout } from '../../payments/withdrawals/commit-withdrawal.ts';
import {
  canMoveBy,
  findWithdrawals,
  lockWithdrawal,
} from '../../payments/withdrawals/withdrawal.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import type { NetworkAsset } from '../../providers/network/ledger-network.ts';
import { stroopsOf } from '../../providers/network/stroops.ts';

export interface SentPayment {
  readonly userId: UserId;
  readonly to: string;
  readonly asset: NetworkAsset['code'];
  readonly stroops: bigint;
  readonly memo: string | null;
}

/**
 * Open withdrawals with exactly these terms, those first that are committed. Equal terms are the
 * same money, so the choice among them makes no difference.
 */
export async function withdrawalsWith(tx: Tx, sent: SentPayment): Promise<WithdrawalId[]> {
  const rows = await tx.query<{ id: WithdrawalId }>(sql`
    select id from withdrawal
    where marketplace_id = ${tx.marketplace} and user_id = ${sent.userId}
      and destination_type = 'crypto' and destination_ref = ${sent.to}
      and memo is not distinct from ${sent.memo}
      and not status = any (${[...terminalStates(withdrawalMachine)]})
    order by committed_at is null, id`);
  const ids = rows.map(({ id }) => id);
  const open = await findWithdrawals(tx, ids);
  return open
    .filter(
      ({ amount, currency }) =>
        stroopsOf(amount) === sent.stroops && (currency === 'XLM') === (sent.asset === 'XLM'),
    )
    .map(({ id }) => id);
}

interface Payout {
  /** Under which the withdrawal's own operation would have stored the payment. */
  readonly purpose: string | undefined;
  /** Its commit was lost too. */
  readonly isNew: boolean;
}

export async function payoutOf(tx: Tx, id: WithdrawalId): Promise<Payout> {
  const before = await findOpenOperation(tx, id);
  const operation = await commitAgain(tx, id);
  const purpose = operation?.kind === COMMIT ? `${COMMIT}:pay:${operation.id}` : undefined;
  return { purpose, isNew: before === undefined };
}

/** The operation of a withdrawal that was paid: a new one if its commit was lost too. */
export async function commitAgain(tx: Tx, id: WithdrawalId): Promise<Operation | undefined> {
  const withdrawal = await lockWithdrawal(tx, id);
  const open = await findOpenOperation(tx, id);
  if (open !== undefined || !canMoveBy(withdrawal, 'commit')) return open;
  return startPayout(tx, withdrawal);
}
