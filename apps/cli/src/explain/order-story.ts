//! The story of an order, which is also that of its escrow, its dispute and its milestones.
import type { Holdfast, Order } from '@holdfast/sdk';
import { allowedActions, orderFields } from '../terminal/record-fields.ts';
import type { Story } from './story.ts';

const ITEMS_MAX = 1000;

export async function orderStory(holdfast: Holdfast, id: string): Promise<Story> {
  const [order, items] = await Promise.all([
    holdfast.orders.get(id),
    holdfast.orders.timeline(id, { limit: 100 }).toArray(ITEMS_MAX),
  ]);
  return tellOrder(order, items);
}

export async function disputeStory(holdfast: Holdfast, id: string): Promise<Story> {
  const dispute = await holdfast.disputes.get(id);
  const { fields, items, names = {} } = await orderStory(holdfast, dispute.orderId);
  const own = [
    ['order', dispute.orderId],
    ['opened by', `${dispute.openedBy}: ${dispute.reason}`],
    ['agent', dispute.assignedTo],
    ['decision', dispute.resolutionDecision],
    ['seller gets', dispute.releaseAmount],
    ['buyer gets', dispute.refundAmount],
    ['note', dispute.decisionNote],
  ] as const;
  const ofOrder = fields.filter(([name]) => ['title', 'amount', 'buyer', 'seller'].includes(name));
  return {
    kind: 'dispute',
    id,
    status: dispute.status,
    record: dispute,
    fields: [...own, ...ofOrder],
    items,
    names,
    ...nextOf(dispute),
  };
}

function nextOf({ id, status }: { readonly id: string; readonly status: string }) {
  if (status === 'OPEN') return { next: `holdfast disputes assign ${id} AGENT` };
  if (status !== 'UNDER_REVIEW') return {};
  return { next: `holdfast disputes resolve ${id} --decision FULL_RELEASE --yes` };
}

function tellOrder(order: Order, items: Story['items']): Story {
  const allowed = allowedActions(order);
  return {
    kind: 'order',
    id: order.id,
    status: order.status,
    record: order,
    fields: orderFields(order),
    items,
    names: { [order.buyerId]: 'buyer', [order.sellerId]: 'seller', [order.id]: 'escrow' },
    ...(allowed.length > 0 && { next: `can now: ${allowed.join(', ')}` }),
  };
}
