//! Pays the buyer back out of escrow: POST /orders/{orderId}/resolution/refund.
import { instantText } from '@holdfast/kernel/clock';
import type { OrderId } from '@holdfast/kernel/ids';
import { executeRequest, type Requester } from '../../engine/execute-request.ts';
import { type Operation, type OperationRefusal, openOperation } from '../../engine/operation.ts';
import { saga } from '../../engine/saga.ts';
import type { Call } from '../../platform/call.ts';
import { emit } from '../../platform/database/outbox.ts';
import type { Tx } from '../../platform/database/transact.ts';
import type { Refused } from '../../providers/outcome.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import {
  deployedEscrow,
  type EscrowRun,
  internalError,
  orderOf,
  readFunded,
  takeSteps,
} from '../escrow/escrow-run.ts';
import { checkRefund } from '../model/checks.ts';
import { lockOrder, moveOrder } from '../model/order.ts';
import type { OrderRecord } from '../model/order-record.ts';
import { getOrder } from '../order/read-orders.ts';
import { settleRefund } from './settlement.ts';
import { refundSteps } from './settlement-steps.ts';

interface RefundPlan {
  readonly orderId: OrderId;
}

export async function refundOrder(
  app: Requester,
  call: Call,
  orderId: OrderId,
  { reason }: { readonly reason: string },
): Promise<OrderRecord> {
  return executeRequest(
    app,
    call,
    (tx) => requestRefund(tx, orderId, reason),
    () => getOrder(app, call, orderId),
  );
}

async function requestRefund(tx: Tx, orderId: OrderId, reason: string): Promise<Operation> {
  const order = await lockOrder(tx, orderId);
  checkRefund(order);
  const { status } = await moveOrder(tx, order, 'requestRefund');
  const requestedBy = tx.actor.id;
  await emit(tx, 'order.refund_requested', orderId, {
    orderId,
    requestedBy,
    requestedAt: instantText(tx.now),
  });
  await audit(tx, {
    action: 'REFUND_REQUESTED',
    resourceId: orderId,
    before: { status: order.status },
    after: { status, requestedBy },
    reason,
  });
  const plan: RefundPlan = { orderId };
  const kind = 'refund-order';
  return openOperation(tx, { kind, resourceType: 'Order', resourceId: orderId, plan });
}

export const refundSaga = saga('refund-order', async (run: EscrowRun, plan: RefundPlan) => {
  const { orderId } = plan;
  const escrow = deployedEscrow(await orderOf(run, orderId));
  const contract = await readFunded(run, escrow);
  const refused = await takeSteps(run, refundSteps(escrow, contract));
  if (refused !== undefined)
    return run.undoOrEscalate(refused, (tx) => refundRefused(tx, run, orderId, refused));
  return run.lastStep('settle', (tx) => settleRefund(tx, orderId));
});

async function refundRefused(
  tx: Tx,
  run: EscrowRun,
  orderId: OrderId,
  refused: Refused,
): Promise<OperationRefusal> {
  const order = await lockOrder(tx, orderId);
  const { status } = await moveOrder(tx, order, 'refundRefused');
  await audit(tx, {
    action: 'REFUND_FAILED',
    resourceId: orderId,
    before: { status: order.status },
    after: { status, operationId: run.operation.id },
    reason: `${refused.code}: ${refused.reason}`,
    result: 'FAILURE',
  });
  return internalError(run, refused);
}
