//! Pays the seller out of escrow: POST /orders/{orderId}/resolution/release.
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
import { checkRelease } from '../model/checks.ts';
import { lockOrder, moveOrder } from '../model/order.ts';
import type { OrderRecord } from '../model/order-record.ts';
import { getOrder } from '../order/read-orders.ts';
import { settleRelease } from './settlement.ts';
import { releaseSteps } from './settlement-steps.ts';

interface ReleasePlan {
  readonly orderId: OrderId;
}

export async function releaseOrder(
  app: Requester,
  call: Call,
  orderId: OrderId,
  { reason }: { readonly reason?: string } = {},
): Promise<OrderRecord> {
  return executeRequest(
    app,
    call,
    (tx) => requestRelease(tx, orderId, reason),
    () => getOrder(app, call, orderId),
  );
}

async function requestRelease(tx: Tx, orderId: OrderId, reason?: string): Promise<Operation> {
  const order = await lockOrder(tx, orderId);
  checkRelease(order);
  const { status } = await moveOrder(tx, order, 'requestRelease');
  const requestedBy = tx.actor.id;
  await emit(tx, 'order.release_requested', orderId, {
    orderId,
    requestedBy,
    requestedAt: instantText(tx.now),
  });
  await audit(tx, {
    action: 'RELEASE_REQUESTED',
    resourceId: orderId,
    before: { status: order.status },
    after: { status, requestedBy },
    reason,
  });
  const plan: ReleasePlan = { orderId };
  const kind = 'release-order';
  return openOperation(tx, { kind, resourceType: 'Order', resourceId: orderId, plan });
}

export const releaseSaga = saga('release-order', async (run: EscrowRun, plan: ReleasePlan) => {
  const { orderId } = plan;
  const escrow = deployedEscrow(await orderOf(run, orderId));
  const contract = await readFunded(run, escrow);
  const refused = await takeSteps(run, releaseSteps(escrow, contract));
  if (refused !== undefined)
    return run.undoOrEscalate(refused, (tx) => releaseRefused(tx, run, orderId, refused));
  return run.lastStep('settle', (tx) => settleRelease(tx, orderId));
});

async function releaseRefused(
  tx: Tx,
  run: EscrowRun,
  orderId: OrderId,
  refused: Refused,
): Promise<OperationRefusal> {
  const order = await lockOrder(tx, orderId);
  const { status } = await moveOrder(tx, order, 'releaseRefused');
  await audit(tx, {
    action: 'RELEASE_FAILED',
    resourceId: orderId,
    before: { status: order.status },
    after: { status, operationId: run.operation.id },
    reason: `${refused.code}: ${refused.reason}`,
    result: 'FAILURE',
  });
  return internalError(run, refused);
}
