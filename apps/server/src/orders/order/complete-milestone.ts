//! Completes a milestone of an order in progress: POST /orders/{id}/milestones/{ref}/complete.
import { assert } from '@holdfast/kernel/assert';
import { instantText } from '@holdfast/kernel/clock';
import type { OrderId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { emit } from '../../platform/database/outbox.ts';
import { type Transactor, type Tx, transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { checkCompleteMilestone } from '../model/checks.ts';
import { completeMilestoneRow, findMilestone } from '../model/milestone.ts';
import { lockBareOrder } from '../model/order.ts';
import type { OrderRecord } from '../model/order-record.ts';
import { getOrder } from './read-orders.ts';

export async function completeMilestone(
  app: Transactor,
  call: Call,
  orderId: OrderId,
  ref: string,
): Promise<OrderRecord> {
  await transact(app, call, (tx) => confirmCompleted(tx, orderId, ref));
  return getOrder(app, call, orderId);
}

/** Called for a request and for a signed notification. */
export async function confirmCompleted(tx: Tx, orderId: OrderId, ref: string): Promise<void> {
  const order = await lockBareOrder(tx, orderId);
  const open = checkCompleteMilestone(order, ref, await findMilestone(tx, order, ref));
  assert(order.escrow !== null, 'an order in progress has an escrow');
  const { status, title, amount } = await completeMilestoneRow(tx, open);
  await emit(tx, 'escrow.milestone_completed', order.escrow.id, {
    escrowId: order.escrow.id,
    orderId,
    milestoneRef: ref,
    milestoneTitle: title,
    amount: amount.text,
    completedAt: instantText(tx.now),
  });
  await audit(tx, {
    action: 'MILESTONE_COMPLETED',
    resourceId: orderId,
    before: { milestoneRef: ref, milestoneStatus: open.status },
    after: { milestoneRef: ref, milestoneStatus: status },
  });
}
