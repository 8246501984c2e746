//! Explains an order together with its escrow, its dispute and its milestones.
import type { Holdfast, Order } from '@holdfast/sdk';
import { COMMAND } from '../entries.ts';
import { allowedActions, orderFields } from '../terminal/record-fields.ts';
import { moneyText } from '../terminal/words.ts';
import { type Explanation, explained } from './explanation.ts';

const ITEMS_MAX = 1000;

type OrderExplanation = Explanation & { readonly record: Order };

export async function explainOrder(holdfast: Holdfast, id: string): Promise<OrderExplanation> {
  const [order, items] = await Promise.all([
    holdfast.orders.get(id),
    holdfast.orders.timeline(id, { limit: 100 }).toArray(ITEMS_MAX),
  ]);
  return orderExplanation(order, items);
}

export async function explainDispute(holdfast: Holdfast, id: string): Promise<Explanation> {
  const dispute = await holdfast.disputes.get(id);
  const explainedOrder = await explainOrder(holdfast, dispute.orderId);
  const { fields, items, names = {} } = explainedOrder;
  const { currency } = explainedOrder.record;
  const own = [
    ['order', dispute.orderId],
    ['opened by', `${dispute.openedBy}: ${dispute.reason}`],
    ['agent', dispute.assignedTo],
    ['decision', dispute.resolutionDecision],
    ['to seller', dispute.releaseAmount && moneyText(dispute.releaseAmount, currency)],
    ['to buyer', dispute.refundAmount && moneyText(dispute.refundAmount, currency)],
    ['note', dispute.decisionNote],
  ] as const;
  const ofOrder = fields.filter(([name]) => ['title', 'amount', 'buyer', 'seller'].includes(name));
  return explained('dispute', dispute, {
    fields: [...own, ...ofOrder],
    items,
    names,
    ...nextOf(dispute),
  });
}

function nextOf({ id, status }: { readonly id: string; readonly status: string }) {
  if (status === 'OPEN') return { next: `${COMMAND} disputes assign ${id} <agent>` };
  if (status !== 'UNDER_REVIEW') return {};
  const decision = '<FULL_RELEASE|FULL_REFUND|SPLIT>';
  const command = `${COMMAND} disputes resolve ${id} --decision ${decision}`;
  return { next: `${command} (SPLIT also needs --release and --refund)` };
}

function orderExplanation(order: Order, items: Explanation['items']): OrderExplanation {
  const allowed = allowedActions(order);
  return explained('order', order, {
    fields: orderFields(order),
    items,
    names: { [order.buyerId]: 'buyer', [order.sellerId]: 'seller', [order.id]: 'escrow' },
    ...(allowed.length > 0 && { next: `allowed actions: ${allowed.join(', ')}` }),
  });
}
