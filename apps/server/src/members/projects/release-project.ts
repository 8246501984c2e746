//! Pays the seller of a project's escrow; only the buyer can: POST /escrow/release.
import { refuse } from '@holdfast/contract/errors';
import { readId } from '@holdfast/kernel/ids';
import type { Requester } from '../../engine/execute-request.ts';
import type { OrderRecord } from '../../orders/model/order-record.ts';
import { findEscrowOrder } from '../../orders/notifications/find-escrow-order.ts';
import { getOrder } from '../../orders/order/read-orders.ts';
import { releaseOrder } from '../../orders/settlement/release-order.ts';
import type { Call, MemberActor } from '../../platform/call.ts';
import { read } from '../../platform/database/transact.ts';

export async function releaseProject(
  app: Requester,
  call: Call<MemberActor>,
  escrowId: string,
): Promise<OrderRecord> {
  const id = readId('esc', escrowId);
  const orderId = id && (await read(app, call, (tx) => findEscrowOrder(tx, id)));
  if (orderId === undefined) return refuse('ESCROW_NOT_FOUND', { escrowId });
  const { buyerId } = await getOrder(app, call, orderId);
  if (buyerId !== call.actor.id) refuse('NOT_THE_BUYER', { escrowId });
  return releaseOrder(app, call, orderId);
}
