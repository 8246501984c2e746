//! Assigns an open dispute to an agent: POST /disputes/{id}/assign.
import { assert } from '@holdfast/kernel/assert';
import { instantText } from '@holdfast/kernel/clock';
import type { DisputeId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { emit } from '../../platform/database/outbox.ts';
import { type Transactor, transact } from '../../platform/database/transact.ts';
import { shownTo } from '../../platform/mask.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { checkAssign } from '../model/checks.ts';
import { type Dispute, loadDispute, moveDispute } from '../model/dispute.ts';
import { lockOrder } from '../model/order.ts';

export async function assignDispute(
  app: Transactor,
  call: Call,
  disputeId: DisputeId,
  { assignedTo }: { readonly assignedTo: string },
): Promise<Dispute> {
  return transact(app, call, async (tx) => {
    const found = await loadDispute(tx, disputeId);
    const { dispute } = await lockOrder(tx, found.orderId);
    assert(dispute?.id === disputeId, 'an order is disputed once in its life');
    checkAssign(dispute);
    const assigned = await moveDispute(tx, dispute, 'assign', { assignedTo });
    await emit(tx, 'dispute.under_review', disputeId, {
      disputeId,
      orderId: dispute.orderId,
      reviewedBy: assignedTo,
      reviewStartedAt: instantText(tx.now),
    });
    await audit(tx, {
      action: 'DISPUTE_ASSIGNED',
      resourceId: disputeId,
      before: { status: dispute.status },
      after: { status: assigned.status, assignedTo },
    });
    return shownTo(tx.actor, assigned);
  });
}
