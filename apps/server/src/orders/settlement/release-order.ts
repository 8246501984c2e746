//! Pays the seller out of escrow: POST /orders/{orderId}/resolution/release.
import type { OrderId } from '@holdfast/kernel/ids';
import type { Requester } from '../../engine/execute-request.ts';
import type { Call } from '../../platform/call.ts';
import type { OrderRecord } from '../model/order-record.ts';
import { SETTLEMENTS, settlementSaga, settleOrder } from './order-settlement.ts';

export async function releaseOrder(
  app: Requester,
  call: Call,
  orderId: OrderId,
  { reason }: { readonly reason?: string } = {},
): Promise<OrderRecord> {
  return settleOrder(app, call, SETTLEMENTS.release, orderId, reason);
}

export const releaseSaga = settlementSaga(SETTLEMENTS.release);
