//! Decides a dispute and carries the decision out: POST /disputes/{id}/resolve.
import { assert } from '@holdfast/kernel/assert';
import type { DisputeId, OrderId } from '@holdfast/kernel/ids';
import { executeRequest, type Requester } from '../../engine/execute-request.ts';
import { type Operation, type OperationRefusal, openOperation } from '../../engine/operation.ts';
import { saga } from '../../engine/saga.ts';
import type { Call } from '../../platform/call.ts';
import type { Tx } from '../../platform/database/transact.ts';
import type { Refused } from '../../providers/outcome.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { type EscrowRun, internalError, orderOf } from '../escrow/escrow-run.ts';
import {
  claimDecision,
  clearClaim,
  type Decision,
  type Dispute,
  decisionOf,
  loadDispute,
} from '../model/dispute.ts';
import { lockOrder } from '../model/order.ts';
import { payOut } from '../settlement/payout.ts';
import { checkResolve, type DecisionInput, readParts } from './decision.ts';
import { getDispute } from './read-disputes.ts';

interface ResolvePlan {
  readonly orderId: OrderId;
  readonly disputeId: DisputeId;
  readonly decision: Decision['decision'];
}

export async function resolveDispute(
  app: Requester,
  call: Call,
  disputeId: DisputeId,
  input: DecisionInput,
): Promise<Dispute> {
  return executeRequest(
    app,
    call,
    (tx) => claimResolution(tx, disputeId, input),
    () => getDispute(app, call, disputeId),
  );
}

/** The decision is claimed before any provider is called: of two resolvers only one wins. */
async function claimResolution(
  tx: Tx,
  disputeId: DisputeId,
  input: DecisionInput,
): Promise<Operation> {
  const found = await loadDispute(tx, disputeId);
  const order = await lockOrder(tx, found.orderId);
  const { id: orderId, dispute } = order;
  assert(dispute?.id === disputeId, 'an order is disputed once in its life');
  checkResolve(dispute);
  const parts = readParts(order, input);
  const { decision, note = null } = input;
  const plan: ResolvePlan = { orderId, disputeId, decision };
  const kind = 'resolve-dispute';
  const operation = await openOperation(tx, {
    kind,
    resourceType: 'Order',
    resourceId: orderId,
    plan,
  });
  const claimedBy = tx.actor.id;
  const claim: Decision = { decision, ...parts, note, claimedBy, operationId: operation.id };
  await claimDecision(tx, dispute, claim);
  await audit(tx, {
    action: 'DISPUTE_DECISION_CLAIMED',
    resourceId: disputeId,
    before: { status: dispute.status },
    after: {
      status: dispute.status,
      decision,
      releaseAmount: parts.releaseAmount.text,
      refundAmount: parts.refundAmount.text,
      claimedBy,
    },
    reason: note ?? undefined,
  });
  return operation;
}

export const resolveSaga = saga('resolve-dispute', async (run: EscrowRun, plan: ResolvePlan) => {
  const order = await orderOf(run, plan.orderId);
  const { decision, operationId } = decisionOf(order.dispute);
  assert(operationId === run.operation.id, 'the decision that is carried out is its own');
  return payOut(run, order, decision, (tx, refused) => resolutionRefused(tx, run, plan, refused));
});

async function resolutionRefused(
  tx: Tx,
  run: EscrowRun,
  { orderId, disputeId, decision }: ResolvePlan,
  refused: Refused,
): Promise<OperationRefusal> {
  const { dispute } = await lockOrder(tx, orderId);
  assert(dispute !== null, 'a dispute under review is the order’s');
  await clearClaim(tx, dispute);
  await audit(tx, {
    action: 'DISPUTE_RESOLUTION_FAILED',
    resourceId: disputeId,
    before: { status: dispute.status, decision },
    after: { status: dispute.status, operationId: run.operation.id },
    reason: `${refused.code}: ${refused.reason}`,
    result: 'FAILURE',
  });
  return internalError(run, refused);
}
