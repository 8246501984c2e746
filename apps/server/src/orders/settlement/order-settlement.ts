//! Settles an undisputed order, by release or by refund: the request and its saga.
import { instantText } from '@holdfast/kernel/clock';
import type { OrderId } from '@holdfast/kernel/ids';
import { executeRequest, type Requester } from '../../engine/execute-request.ts';
import { type Operation, type OperationRefusal, openOperation } from '../../engine/operation.ts';
import { type Saga, saga } from '../../engine/saga.ts';
import type { Call } from '../../platform/call.ts';
import { emit } from '../../platform/database/outbox.ts';
import type { Tx } from '../../platform/database/transact.ts';
import type { Refused } from '../../providers/outcome.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { type EscrowRun, internalError, orderOf } from '../escrow/escrow-run.ts';
import type { EscrowWorker } from '../escrow/escrow-steps.ts';
import { checkRefund, checkRelease } from '../model/checks.ts';
import { lockOrder, moveOrder } from '../model/order.ts';
import type { OrderRecord } from '../model/order-record.ts';
import { getOrder } from '../order/read-orders.ts';
import { payOut } from './payout.ts';

/** Where a release and a refund differ. */
export const SETTLEMENTS = {
  release: {
    kind: 'release-order',
    decision: 'FULL_RELEASE',
    check: checkRelease,
    request: 'requestRelease',
    requested: 'order.release_requested',
    undo: 'releaseRefused',
    actions: { requested: 'RELEASE_REQUESTED', failed: 'RELEASE_FAILED' },
  },
  refund: {
    kind: 'refund-order',
    decision: 'FULL_REFUND',
    check: checkRefund,
    request: 'requestRefund',
    requested: 'order.refund_requested',
    undo: 'refundRefused',
    actions: { requested: 'REFUND_REQUESTED', failed: 'REFUND_FAILED' },
  },
} as const;

type Settlement = (typeof SETTLEMENTS)[keyof typeof SETTLEMENTS];

interface SettlementPlan {
  readonly orderId: OrderId;
}

export async function settleOrder(
  app: Requester,
  call: Call,
  settlement: Settlement,
  orderId: OrderId,
  reason: string | undefined,
): Promise<OrderRecord> {
  return executeRequest(
    app,
    call,
    (tx) => requestSettlement(tx, settlement, orderId, reason),
    () => getOrder(app, call, orderId),
  );
}

async function requestSettlement(
  tx: Tx,
  { kind, check, request, requested, actions }: Settlement,
  orderId: OrderId,
  reason: string | undefined,
): Promise<Operation> {
  const order = await lockOrder(tx, orderId);
  check(order);
  const { status } = await moveOrder(tx, order, request);
  const requestedBy = tx.actor.id;
  const requestedAt = instantText(tx.now);
  await emit(tx, requested, orderId, { orderId, requestedBy, requestedAt });
  await audit(tx, {
    action: actions.requested,
    resourceId: orderId,
    before: { status: order.status },
    after: { status, requestedBy },
    reason,
  });
  const plan: SettlementPlan = { orderId };
  return openOperation(tx, { kind, resourceType: 'Order', resourceId: orderId, plan });
}

export function settlementSaga(settlement: Settlement): Saga<EscrowWorker> {
  return saga(settlement.kind, async (run: EscrowRun, { orderId }: SettlementPlan) => {
    const order = await orderOf(run, orderId);
    return payOut(run, order, settlement.decision, (tx, refused) =>
      undoRequest(tx, run, settlement, orderId, refused),
    );
  });
}

async function undoRequest(
  tx: Tx,
  run: EscrowRun,
  { undo, actions }: Settlement,
  orderId: OrderId,
  refused: Refused,
): Promise<OperationRefusal> {
  const order = await lockOrder(tx, orderId);
  const { status } = await moveOrder(tx, order, undo);
  await audit(tx, {
    action: actions.failed,
    resourceId: orderId,
    before: { status: order.status },
    after: { status, operationId: run.operation.id },
    reason: `${refused.code}: ${refused.reason}`,
    result: 'FAILURE',
  });
  return internalError(run, refused);
}
