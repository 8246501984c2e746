//! Opens a dispute, and moves no money: POST /orders/{orderId}/resolution/dispute.
import { instantText } from '@holdfast/kernel/clock';
import { newId, type OrderId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { emit } from '../../platform/database/outbox.ts';
import { type Transactor, transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { checkDispute } from '../model/checks.ts';
import { type Dispute, insertDispute, type OpenedDispute } from '../model/dispute.ts';
import { moveEscrow } from '../model/escrow.ts';
import { lockOrder, moveOrder } from '../model/order.ts';
import type { OrderRecord } from '../model/order-record.ts';
import { getOrder } from '../order/read-orders.ts';

/** The order id in the body is not read: the path decides. */
export interface Complaint extends Pick<OpenedDispute, 'openedBy' | 'reason'> {
  readonly evidence?: readonly string[];
}

export async function openDispute(
  app: Transactor,
  call: Call,
  orderId: OrderId,
  { openedBy, reason, evidence }: Complaint,
): Promise<Dispute & { readonly order: OrderRecord }> {
  const dispute = await transact(app, call, async (tx) => {
    const order = await lockOrder(tx, orderId);
    const escrow = checkDispute(order);
    const id = newId('dsp', tx.now);
    const { status } = await moveOrder(tx, order, 'openDispute', { disputeId: id });
    // The escrow may be disputed already, because the network showed it.
    if (escrow.status !== 'DISPUTED') await moveEscrow(tx, escrow, 'dispute');
    const opened = await insertDispute(tx, {
      id,
      orderId,
      openedBy,
      reason,
      evidence: evidence ?? null,
    });
    const payload = { disputeId: id, orderId, openedBy, reason, openedAt: instantText(tx.now) };
    await emit(tx, 'dispute.opened', id, {
      ...payload,
      ...(evidence === undefined ? {} : { evidence: [...evidence] }),
    });
    await emit(tx, 'order.disputed', orderId, payload);
    await audit(tx, {
      action: 'DISPUTE_OPENED',
      resourceId: id,
      before: { orderId, orderStatus: order.status, escrowStatus: escrow.status },
      after: {
        orderId,
        orderStatus: status,
        escrowStatus: 'DISPUTED',
        status: opened.status,
        openedBy,
        reason,
      },
    });
    return opened;
  });
  return { ...dispute, order: await getOrder(app, call, orderId) };
}
