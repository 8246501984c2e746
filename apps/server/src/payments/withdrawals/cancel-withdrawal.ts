//! Cancels a withdrawal: POST /withdrawals/{id}/cancel.
//!
//! One that was not committed is canceled in one transaction. A payout that was sent is canceled by
//! the provider first: only its record decides between paid and canceled. A payment over the
//! network cannot be called back.
import { refuse } from '@holdfast/contract/errors';
import { moveSources } from '@holdfast/contract/machine';
import { withdrawalMachine } from '@holdfast/contract/machines/withdrawal-machine';
import type { WithdrawalId } from '@holdfast/kernel/ids';
import { executeRequest, type Requester } from '../../engine/execute-request.ts';
import { type Operation, type OperationRefusal, openOperation } from '../../engine/operation.ts';
import { saga } from '../../engine/saga.ts';
import type { Call } from '../../platform/call.ts';
import { read, type Tx, transact } from '../../platform/database/transact.ts';
import { shownTo } from '../../platform/mask.ts';
import { done, type Outcome, type Refused, refused } from '../../providers/outcome.ts';
import type { PaymentProvider, Payout } from '../../providers/payments/payment-provider.ts';
import { endCanceled } from './end-withdrawal.ts';
import { CANCEL_WITHDRAWAL, type CancelPlan } from './open-cancellation.ts';
import type { PayoutRun } from './payout-run.ts';
import { getWithdrawal } from './read-withdrawals.ts';
import { applyStored, callProvider, type StoredPayout } from './stored-payout.ts';
import { canMoveBy, findWithdrawal, lockWithdrawal, type Withdrawal } from './withdrawal.ts';

export async function cancelWithdrawal(
  app: Requester,
  call: Call,
  withdrawalId: WithdrawalId,
  { reason = null }: { readonly reason?: string | null } = {},
): Promise<Withdrawal> {
  const found = await read(app, call, (tx) => findWithdrawal(tx, withdrawalId));
  if (found?.status === 'WITHDRAWAL_CREATED') {
    const canceled = await cancelCreated(app, call, withdrawalId, reason);
    if (canceled !== undefined) return canceled;
  }
  return executeRequest(
    app,
    call,
    (tx) => requestCancel(tx, withdrawalId, reason),
    () => getWithdrawal(app, call, withdrawalId),
  );
}

/** Thrown out of a transaction that found the withdrawal committed. Not an error. */
class CommittedMeanwhile extends Error {}

/** Needs no engine and no provider. Undefined when a commit was faster. */
async function cancelCreated(
  app: Requester,
  call: Call,
  id: WithdrawalId,
  reason: string | null,
): Promise<Withdrawal | undefined> {
  try {
    return await transact(app, call, async (tx) => {
      const withdrawal = await lockWithdrawal(tx, id);
      // Not returned: the Idempotency-Key would store it as the response.
      if (withdrawal.status !== 'WITHDRAWAL_CREATED') throw new CommittedMeanwhile();
      const cancellation = { canceledBy: tx.actor.id, reason };
      const facts = { nextPollAt: null };
      return shownTo(tx.actor, await endCanceled(tx, withdrawal, 'cancel', cancellation, facts));
    });
  } catch (error) {
    if (error instanceof CommittedMeanwhile) return undefined;
    throw error;
  }
}

/** Changes no state yet; the open operation keeps other callers from canceling it too. */
async function requestCancel(
  tx: Tx,
  withdrawalId: WithdrawalId,
  reason: string | null,
): Promise<Operation> {
  const withdrawal = await lockWithdrawal(tx, withdrawalId);
  if (!canMoveBy(withdrawal, 'cancel')) refuse('INVALID_STATE', stateOf(withdrawal));
  const about = { resourceType: 'Withdrawal', resourceId: withdrawalId } as const;
  const { providerPayoutId: payoutId } = withdrawal;
  const plan: CancelPlan = { withdrawalId, payoutId, canceledBy: tx.actor.id, reason };
  return openOperation(tx, { kind: CANCEL_WITHDRAWAL, ...about, plan });
}

function stateOf({ id, status: state }: Withdrawal) {
  // A state from which the provider has just refused is not one that allows it.
  const allowed = moveSources(withdrawalMachine, 'cancel').filter((each) => each !== state);
  return { resource: 'Withdrawal', id, state, allowed };
}

export const cancelWithdrawalSaga = saga(
  CANCEL_WITHDRAWAL,
  async (run: PayoutRun, plan: CancelPlan) => {
    const { withdrawalId: id } = plan;
    const canceled = await run.providerStep('cancel', { provider: 'payment_provider' }, () =>
      callProvider(run, (payments) => cancelThere(payments, plan)),
    );
    if (canceled.kind === 'done')
      return run.lastStep('canceled', (tx) => applyStored(tx, run, id, canceled.value));
    const found = await run.providerStep('fetch', { provider: 'payment_provider' }, () =>
      callProvider(run, (payments) => findThere(payments, id)),
    );
    if (found.kind === 'refused') return run.undoOrEscalate(found, async () => refusalOf(found));
    if (found.value.status === 'canceled')
      return run.lastStep('canceled', (tx) => applyStored(tx, run, id, found.value));
    return run.undoOrEscalate(canceled, (tx) => tooLate(run, tx, id, canceled, found.value));
  },
);

async function cancelThere(
  payments: PaymentProvider,
  { withdrawalId, payoutId }: CancelPlan,
): Promise<Outcome<Payout>> {
  if (payoutId !== null) return payments.cancelPayout(payoutId);
  const found = await findThere(payments, withdrawalId);
  return found.kind === 'done' ? payments.cancelPayout(found.value.id) : found;
}

async function findThere(payments: PaymentProvider, id: WithdrawalId): Promise<Outcome<Payout>> {
  const found = await payments.findPayout(id);
  if (found.kind !== 'done') return found;
  return found.value === null
    ? refused('not-found', 'the provider has no such payout')
    : done(found.value);
}

/** The provider's words for a payout that it no longer cancels. */
const TOO_LATE: readonly string[] = ['cannot-cancel', 'already-processed'];

/** Applies the provider's current record first. */
async function tooLate(
  run: PayoutRun,
  tx: Tx,
  id: WithdrawalId,
  refusal: Refused,
  record: StoredPayout,
): Promise<OperationRefusal> {
  await applyStored(tx, run, id, record);
  const withdrawal = await lockWithdrawal(tx, id);
  return !canMoveBy(withdrawal, 'cancel') || TOO_LATE.includes(refusal.code)
    ? { code: 'INVALID_STATE', details: stateOf(withdrawal) }
    : refusalOf(refusal);
}

function refusalOf({ code, reason }: Refused): OperationRefusal {
  return { code: 'INTERNAL_ERROR', details: { reason: `${code}: ${reason}` } };
}
