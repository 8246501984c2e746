//! Cancels a top-up that nobody has confirmed yet: POST /topups/{id}/cancel.
//!
//! At the provider first: once its pay page is closed nobody can pay any more, so what is canceled
//! here has not been paid. When the provider says that it is too late, its record decides.
import { refuse } from '@holdfast/contract/errors';
import { canMove, moveSources } from '@holdfast/contract/machine';
import { topupMachine } from '@holdfast/contract/topup-machine';
import type { TopupId } from '@holdfast/kernel/ids';
import { driveRequest, type Requester } from '../engine/drive-request.ts';
import { type Operation, type OperationRefusal, openOperation } from '../engine/operation.ts';
import { type SagaRun, saga } from '../engine/saga.ts';
import type { Call } from '../platform/call.ts';
import type { Tx } from '../platform/transact.ts';
import { done, type Outcome, type Refused, unknown } from '../providers/outcome.ts';
import { followRecord } from './by-record.ts';
import type { TopupWorker } from './create-topup.ts';
import { getTopup } from './get-topup.ts';
import { CANCEL_TOPUP } from './operation-kinds.ts';
import { type Sighting, sightingOfRecord } from './sighting.ts';
import { lockTopup, notePayin, type Topup } from './topup.ts';
import { endLooks } from './topup-look.ts';
import { type Cancellation, cancel } from './topup-moves.ts';

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
  return driveRequest(
    app,
    call,
    (tx) => requestCancel(tx, topupId, { canceledBy: tx.actor.id, reason }),
    () => getTopup(app, call, topupId),
  );
}

/** Nothing changes yet; the operation keeps others from canceling it too. */
async function requestCancel(
  tx: Tx,
  topupId: TopupId,
  cancellation: Cancellation,
): Promise<Operation> {
  const topup = await lockTopup(tx, topupId);
  if (!canMove(topupMachine, topup.status, 'cancel')) refuseState(topup);
  const about = { resourceType: 'TopUp', resourceId: topupId } as const;
  const { providerPayinId } = topup;
  // Without a name at the provider it is still being created there, which is an operation too.
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
    const canceled = await run.provider('cancel', {}, () => closePage(run.app, plan));
    if (canceled.kind === 'done')
      return run.last('canceled', (tx) => confirmCanceled(tx, plan, canceled.value));
    const found = await run.provider('look', {}, () => findRecord(run.app, topupId));
    if (found.kind === 'refused') return run.refused(found, async () => refusalOf(found));
    if (found.value === null) return run.last('canceled', (tx) => confirmCanceled(tx, plan, null));
    const record = found.value;
    return run.refused(canceled, (tx) => tooLate(run, tx, topupId, canceled, record));
  },
);

async function closePage(
  { payments }: TopupWorker,
  { payinId }: CancelPlan,
): Promise<Outcome<Sighting>> {
  if (payments === undefined) return unknown('no payment provider is configured');
  const canceled = await payments.cancelPayin(payinId);
  return canceled.kind === 'done' ? done(sightingOfRecord(canceled.value)) : canceled;
}

async function findRecord(
  { payments }: TopupWorker,
  topupId: TopupId,
): Promise<Outcome<Sighting | null>> {
  if (payments === undefined) return unknown('no payment provider is configured');
  const found = await payments.findPayin(topupId);
  if (found.kind !== 'done') return found;
  return done(found.value === null ? null : sightingOfRecord(found.value));
}

/** A look may have been faster. */
async function confirmCanceled(
  tx: Tx,
  { topupId, ...cancellation }: CancelPlan,
  record: Sighting | null,
): Promise<{ readonly status: string }> {
  const topup = await lockTopup(tx, topupId);
  const known = record === null ? topup : await notePayin(tx, topup, record);
  await endLooks(tx, topupId);
  if (!canMove(topupMachine, known.status, 'canceledOutside')) return { status: known.status };
  const move = canMove(topupMachine, known.status, 'cancel') ? 'cancel' : 'canceledOutside';
  const { status } = await cancel(tx, known, move, cancellation);
  return { status };
}

/** Whatever it is by now is written down first. */
async function tooLate(
  run: SagaRun<TopupWorker>,
  tx: Tx,
  topupId: TopupId,
  refused: Refused,
  record: Sighting,
): Promise<OperationRefusal> {
  const topup = await followRecord(run.app, tx, await lockTopup(tx, topupId), record);
  if (!canMove(topupMachine, topup.status, 'cancel'))
    return { code: 'INVALID_STATE', details: stateOf(topup) };
  return refusalOf(refused);
}

function refusalOf({ code, reason }: Refused): OperationRefusal {
  return { code: 'INTERNAL_ERROR', details: { reason: `${code}: ${reason}` } };
}
