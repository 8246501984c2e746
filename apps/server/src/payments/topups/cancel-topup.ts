//! Cancels a top-up that its payer has not confirmed yet: POST /topups/{id}/cancel.
//!
//! The provider cancels first: once its payment page is closed it takes no payment, so a top-up
//! that is canceled here is unpaid. If the provider refuses because it is too late, its record
//! decides.
import { refuse } from '@holdfast/contract/errors';
import { canMove, moveSources } from '@holdfast/contract/machine';
import { topupMachine } from '@holdfast/contract/machines/topup-machine';
import type { TopupId } from '@holdfast/kernel/ids';
import { executeRequest, type Requester } from '../../engine/execute-request.ts';
import { type Operation, type OperationRefusal, openOperation } from '../../engine/operation.ts';
import { type SagaRun, saga } from '../../engine/saga.ts';
import type { Call } from '../../platform/call.ts';
import type { Tx } from '../../platform/database/transact.ts';
import { done, type Outcome, type Refused, unknown } from '../../providers/outcome.ts';
import { applyRecord } from './by-record.ts';
import type { TopupWorker } from './create-topup.ts';
import { CANCEL_TOPUP } from './operation-kinds.ts';
import { observationOfRecord, type PayinObservation } from './payin-observation.ts';
import { getTopup } from './read-topups.ts';
import { lockTopup, recordPayin, type Topup } from './topup.ts';
import { type Cancellation, cancel } from './topup-moves.ts';
import { endPolling } from './topup-poll.ts';

interface CancelPlan extends Cancellation {
  readonly topupId: TopupId;
  readonly payinId: string;
}

export async function cancelTopup(
  app: Requester,
  call: Call,
  topupId: TopupId,
  { reason = null }: { readonly reason?: string | null } = {},
): Promise<Topup> {
  return executeRequest(
    app,
    call,
    (tx) => requestCancel(tx, topupId, { canceledBy: tx.actor.id, reason }),
    () => getTopup(app, call, topupId),
  );
}

/** Changes no state yet; the open operation keeps other callers from canceling it too. */
async function requestCancel(
  tx: Tx,
  topupId: TopupId,
  cancellation: Cancellation,
): Promise<Operation> {
  const topup = await lockTopup(tx, topupId);
  if (!canMove(topupMachine, topup.status, 'cancel')) refuseState(topup);
  const about = { resourceType: 'TopUp', resourceId: topupId } as const;
  const { providerPayinId } = topup;
  // Without a pay-in id the creation is still open at the provider, and is itself an operation.
  const plan: CancelPlan = { topupId, payinId: providerPayinId ?? '', ...cancellation };
  return openOperation(tx, { kind: CANCEL_TOPUP, ...about, plan });
}

function refuseState(topup: Topup): never {
  return refuse('INVALID_STATE', stateOf(topup));
}

function stateOf({ id, status }: Topup) {
  const allowed = [...moveSources(topupMachine, 'cancel')];
  return { resource: 'TopUp', id, state: status, allowed };
}

export const cancelTopupSaga = saga(
  CANCEL_TOPUP,
  async (run: SagaRun<TopupWorker>, plan: CancelPlan) => {
    const { topupId } = plan;
    const canceled = await run.providerStep('cancel', { provider: 'payment_provider' }, () =>
      closePage(run.app, plan),
    );
    if (canceled.kind === 'done')
      return run.lastStep('canceled', (tx) => confirmCanceled(tx, plan, canceled.value));
    const found = await run.providerStep('fetch', { provider: 'payment_provider' }, () =>
      findRecord(run.app, topupId),
    );
    if (found.kind === 'refused') return run.undoOrEscalate(found, async () => refusalOf(found));
    if (found.value === null)
      return run.lastStep('canceled', (tx) => confirmCanceled(tx, plan, null));
    const record = found.value;
    return run.undoOrEscalate(canceled, (tx) => tooLate(run, tx, topupId, canceled, record));
  },
);

async function closePage(
  { payments }: TopupWorker,
  { payinId }: CancelPlan,
): Promise<Outcome<PayinObservation>> {
  if (payments === undefined) return unknown('no payment provider is configured');
  const canceled = await payments.cancelPayin(payinId);
  return canceled.kind === 'done' ? done(observationOfRecord(canceled.value)) : canceled;
}

async function findRecord(
  { payments }: TopupWorker,
  topupId: TopupId,
): Promise<Outcome<PayinObservation | null>> {
  if (payments === undefined) return unknown('no payment provider is configured');
  const found = await payments.findPayin(topupId);
  if (found.kind !== 'done') return found;
  return done(found.value === null ? null : observationOfRecord(found.value));
}

/** A poll may have canceled the top-up first. */
async function confirmCanceled(
  tx: Tx,
  { topupId, ...cancellation }: CancelPlan,
  record: PayinObservation | null,
): Promise<{ readonly status: string }> {
  const topup = await lockTopup(tx, topupId);
  const known = record === null ? topup : await recordPayin(tx, topup, record);
  await endPolling(tx, topupId);
  if (!canMove(topupMachine, known.status, 'canceledUpstream')) return { status: known.status };
  const move = canMove(topupMachine, known.status, 'cancel') ? 'cancel' : 'canceledUpstream';
  const { status } = await cancel(tx, known, move, cancellation);
  return { status };
}

/** Applies the provider's current record first. */
async function tooLate(
  run: SagaRun<TopupWorker>,
  tx: Tx,
  topupId: TopupId,
  refused: Refused,
  record: PayinObservation,
): Promise<OperationRefusal> {
  const topup = await applyRecord(run.app, tx, await lockTopup(tx, topupId), record);
  if (!canMove(topupMachine, topup.status, 'cancel'))
    return { code: 'INVALID_STATE', details: stateOf(topup) };
  return refusalOf(refused);
}

function refusalOf({ code, reason }: Refused): OperationRefusal {
  return { code: 'INTERNAL_ERROR', details: { reason: `${code}: ${reason}` } };
}
