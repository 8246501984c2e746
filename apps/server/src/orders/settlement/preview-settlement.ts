//! Previews how much a release or refund would move, and whether it is possible now.
import type { OrderId, UserId } from '@holdfast/kernel/ids';
import type { Money } from '@holdfast/kernel/money';
import type { Call } from '../../platform/call.ts';
import type { Transactor } from '../../platform/database/transact.ts';
import { getOrder } from '../order/read-orders.ts';
import { SETTLEMENTS } from './order-settlement.ts';

export interface SettlementPreview {
  readonly amount: Money;
  /** Refuses as the settlement would. */
  readonly check: () => void;
  /** Who receives how much, before fees. */
  readonly recipients: () => readonly { readonly userId: UserId; readonly amount: Money }[];
}

export async function previewSettlement(
  app: Transactor,
  call: Call,
  orderId: OrderId,
  settlement: keyof typeof SETTLEMENTS,
): Promise<SettlementPreview> {
  const order = await getOrder(app, call, orderId);
  const { amount, sellerId, buyerId } = order;
  return {
    amount,
    check: () => void SETTLEMENTS[settlement].check(order),
    recipients: () => [{ userId: settlement === 'release' ? sellerId : buyerId, amount }],
  };
}
