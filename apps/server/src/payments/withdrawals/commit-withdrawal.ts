//! Confirms a withdrawal and sends it: POST /withdrawals/{id}/commit.
import { Refusal, refuse } from '@holdfast/contract/errors';
import { moveSources } from '@holdfast/contract/machine';
import { withdrawalMachine } from '@holdfast/contract/machines/withdrawal-machine';
import { assert } from '@holdfast/kernel/assert';
import type { WithdrawalId } from '@holdfast/kernel/ids';
import { minorText } from '@holdfast/kernel/money';
import { findBalance } from '../../accounts/books/account.ts';
import { findUser } from '../../accounts/users/user.ts';
import { executeRequest, type Requester } from '../../engine/execute-request.ts';
import { type Operation, openOperation } from '../../engine/operation.ts';
import { saga } from '../../engine/saga.ts';
import type { Call } from '../../platform/call.ts';
import { emit } from '../../platform/database/outbox.ts';
import { read, type Tx } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { claimPayout, type PayoutLimiter, settleClaim } from '../payout-limits/claim-payout.ts';
import { payOverNetwork } from './pay-over-network.ts';
import { payThroughProvider } from './pay-through-provider.ts';
import type { PayoutRun } from './payout-run.ts';
import { refuseWhilePaused } from './payouts-pause.ts';
import { getWithdrawal } from './read-withdrawals.ts';
import {
  canMoveBy,
  findWithdrawal,
  lockWithdrawal,
  moveWithdrawal,
  type Withdrawal,
} from './withdrawal.ts';

/** The kind of the operation, which the purposes of its envelopes start with. */
export const COMMIT = 'commit-withdrawal';

interface CommitPlan {
  readonly withdrawalId: WithdrawalId;
}

type Committer = Requester & PayoutLimiter;

export async function commitWithdrawal(
  app: Committer,
  call: Call,
  withdrawalId: WithdrawalId,
): Promise<Withdrawal> {
  // Thrown only after the idempotency key is checked: a repeat returns the stored response.
  const refusal = await claimCommit(app, call, withdrawalId);
  return executeRequest(
    app,
    call,
    (tx) => requestCommit(tx, app.config, withdrawalId, refusal),
    () => getWithdrawal(app, call, withdrawalId),
  );
}

/** Claims nothing for a commit that would be refused in any case. */
async function claimCommit(
  app: Committer,
  call: Call,
  withdrawalId: WithdrawalId,
): Promise<Refusal | undefined> {
  const found = await read(app, call, async (tx) => {
    const withdrawal = await findWithdrawal(tx, withdrawalId);
    if (withdrawal !== undefined) await checkCommit(tx, withdrawal);
    return withdrawal;
  }).catch((error: unknown) => {
    if (error instanceof Refusal) return undefined;
    throw error;
  });
  return found && claimPayout(app, call, found);
}

async function requestCommit(
  tx: Tx,
  limits: Committer['config'],
  withdrawalId: WithdrawalId,
  refusal: Refusal | undefined,
): Promise<Operation> {
  const withdrawal = await lockWithdrawal(tx, withdrawalId);
  await checkCommit(tx, withdrawal);
  if (refusal !== undefined) throw refusal;
  await settleClaim(tx, limits, withdrawal);
  return startPayout(tx, withdrawal);
}

/** Commits a withdrawal that was checked. */
export async function startPayout(tx: Tx, withdrawal: Withdrawal): Promise<Operation> {
  const { id, userId, amount, currency } = withdrawal;
  const committed = await moveWithdrawal(tx, withdrawal, 'commit', { nextPollAt: null });
  const balance = await findBalance(tx, userId, currency);
  assert(balance !== undefined, 'a user who withdraws has a balance');
  await emit(tx, 'withdrawal.committed', id, {
    withdrawalId: id,
    userId,
    amount: amount.text,
    currency,
    committedBalance: minorText(balance.reserved),
    availableBalance: minorText(balance.available),
  });
  await audit(tx, {
    action: 'WITHDRAWAL_COMMITTED',
    resourceId: id,
    before: { status: withdrawal.status },
    after: { status: committed.status, amount: amount.text, currency },
  });
  const plan: CommitPlan = { withdrawalId: id };
  return openOperation(tx, { kind: COMMIT, resourceType: 'Withdrawal', resourceId: id, plan });
}

export async function checkCommit(tx: Tx, withdrawal: Withdrawal): Promise<void> {
  const { id, userId, status: state } = withdrawal;
  const allowed = [...moveSources(withdrawalMachine, 'commit')];
  if (!canMoveBy(withdrawal, 'commit'))
    refuse('INVALID_STATE', { resource: 'Withdrawal', id, state, allowed });
  await refuseWhilePaused(tx);
  const user = await findUser(tx, userId);
  assert(user !== undefined, 'a withdrawal has a user');
  if (user.status !== 'ACTIVE') refuse('USER_NOT_ACTIVE', { userId, status: user.status });
}

export const commitWithdrawalSaga = saga(
  COMMIT,
  async (run: PayoutRun, { withdrawalId }: CommitPlan) => {
    const withdrawal = await read(run.app, run.call, (tx) => findWithdrawal(tx, withdrawalId));
    assert(withdrawal !== undefined, 'what is committed is there');
    return withdrawal.destination.type === 'crypto'
      ? payOverNetwork(run, withdrawal)
      : payThroughProvider(run, withdrawal);
  },
);
