//! Pays the buyer back out of escrow: POST /orders/{orderId}/resolution/refund.
import type { OrderId } from '@holdfast/kernel/ids';
import type { Requester } from '../../engine/execute-request.ts';
import type { Call } from '../../platform/call.ts';
import type { OrderRecord } from '../model/order-record.ts';
import { SETTLEMENTS, settlementSaga, settleOrder } from './order-settlement.ts';

export async function refundOrder(
  app: Requester,
  call: Call,
  orderId: OrderId,
  { reason }: { readonly reason: string },
): Promise<OrderRecord> {
  return settleOrder(app, call, SETTLEMENTS.refund, orderId, reason);
}

export const refundSaga = settlementSaga(SETTLEMENTS.refund);
