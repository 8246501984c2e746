//! Decides a dispute and carries the decision out: POST /disputes/{id}/resolve.
import { refuse } from '@holdfast/contract/errors';
import { assert } from '@holdfast/kernel/assert';
import type { DisputeId, OrderId } from '@holdfast/kernel/ids';
import { executeRequest, type Requester } from '../../engine/execute-request.ts';
import { type Operation, type OperationRefusal, openOperation } from '../../engine/operation.ts';
import { saga } from '../../engine/saga.ts';
import type { Call } from '../../platform/call.ts';
import type { Tx } from '../../platform/database/transact.ts';
import type { Refused } from '../../providers/outcome.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import type { StoredContract } from '../escrow/contract-parts.ts';
import {
  deployedEscrow,
  type EscrowRun,
  internalError,
  orderOf,
  readFunded,
  type SettlementStep,
  takeSteps,
} from '../escrow/escrow-run.ts';
import type { DeployedEscrow } from '../model/checks.ts';
import {
  claimDecision,
  clearClaim,
  type Decision,
  type Dispute,
  findDispute,
} from '../model/dispute.ts';
import { lockOrder } from '../model/order.ts';
import { settleRefund, settleRelease, settleSplit } from '../settlement/settlement.ts';
import { refundSteps, releaseSteps, splitSteps } from '../settlement/settlement-steps.ts';
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
  const found = (await findDispute(tx, disputeId)) ?? refuse('DISPUTE_NOT_FOUND', { disputeId });
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
  const { orderId, decision } = plan;
  const order = await orderOf(run, orderId);
  const escrow = deployedEscrow(order);
  const claim = order.dispute?.claim;
  assert(claim?.operationId === run.operation.id, 'a decision stays claimed meanwhile');
  const contract = await readFunded(run, escrow);
  const refused = await takeSteps(run, stepsOf(claim, escrow, contract));
  if (refused !== undefined)
    return run.undoOrEscalate(refused, (tx) => resolutionRefused(tx, run, plan, refused));
  return run.lastStep('settle', (tx) => SETTLE[decision](tx, orderId));
});

const SETTLE = {
  FULL_RELEASE: settleRelease,
  FULL_REFUND: settleRefund,
  SPLIT: settleSplit,
} as const;

function stepsOf(
  { decision, releaseAmount }: Decision,
  escrow: DeployedEscrow,
  contract: StoredContract,
): SettlementStep[] {
  if (decision === 'SPLIT') return splitSteps(escrow, contract, releaseAmount);
  return decision === 'FULL_RELEASE'
    ? releaseSteps(escrow, contract)
    : refundSteps(escrow, contract);
}

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
