//! Response view of an order, with its escrow, dispute and milestones.
import type {
  EscrowView,
  MilestoneView,
  OpenedDisputeView,
  OrderView,
} from '@holdfast/contract/records/order-records';
import { instantText } from '@holdfast/kernel/clock';
import { minorText } from '@holdfast/kernel/money';
import type { openDispute } from '../../../orders/disputes/open-dispute.ts';
import type { getOrder } from '../../../orders/order/read-orders.ts';
import { disputeView } from './dispute.view.ts';

type Order = Awaited<ReturnType<typeof getOrder>>;
type Escrow = NonNullable<Order['escrow']>;
type Milestone = Order['milestones'][number];
type OpenedDispute = Awaited<ReturnType<typeof openDispute>>;

export function orderView(order: Order): OrderView {
  const { escrow, dispute } = order;
  return {
    id: order.id,
    status: order.status,
    amount: order.amount.text,
    currency: order.currency,
    buyerId: order.buyerId,
    sellerId: order.sellerId,
    title: order.title,
    description: order.description,
    clientOrderRef: order.clientOrderRef,
    metadata: order.metadata,
    fee: order.fee.text,
    feeRate: minorText(order.feeRate),
    closeReason: order.closeReason,
    escrow: escrow === null ? null : escrowView(escrow, order.milestones.length > 0),
    dispute: dispute === null ? null : disputeView(dispute),
    milestones: order.milestones.map(milestoneView),
    allowedActions: order.allowedActions,
    createdAt: instantText(order.createdAt),
    updatedAt: instantText(order.updatedAt),
  };
}

export function milestoneView(milestone: Milestone): MilestoneView {
  return {
    id: milestone.id,
    ref: milestone.ref,
    title: milestone.title,
    amount: milestone.amount.text,
    status: milestone.status,
    completedAt: instantText(milestone.completedAt),
  };
}

export function openedDisputeView(opened: OpenedDispute): OpenedDisputeView {
  return { ...disputeView(opened), order: orderView(opened.order) };
}

function escrowView(escrow: Escrow, hasMilestones: boolean): EscrowView {
  return {
    id: escrow.id,
    providerContractId: escrow.providerContractId,
    status: escrow.status,
    amount: escrow.amount.text,
    terms: hasMilestones ? { milestones_required: true } : null,
    contractType: escrow.contractType,
    createdAt: instantText(escrow.createdAt),
    fundedAt: instantText(escrow.fundedAt),
    releasedAt: instantText(escrow.releasedAt),
    refundedAt: instantText(escrow.refundedAt),
  };
}
