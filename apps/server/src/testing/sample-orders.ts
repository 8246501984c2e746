//! Sample orders for checks, with the given fields filled in.
import { Money } from '@holdfast/kernel/money';
import type { Dispute } from '../orders/model/dispute.ts';
import type { Escrow } from '../orders/model/escrow.ts';
import type { Milestone } from '../orders/model/milestone.ts';
import type { Order } from '../orders/model/order.ts';
import type { Parties, Party } from '../orders/model/parties.ts';

export const usd = (text: string) => Money.read(text, 'USD') ?? Money.zero('USD');
export const active: Party = { status: 'ACTIVE', hasPaymentAccount: true };
export const parties: Parties = { buyer: active, seller: active };

export const anOrder: Order = {
  id: 'ord_1',
  buyerId: 'usr_ada',
  sellerId: 'usr_bo',
  status: 'ORDER_CREATED',
  amount: usd('100.00'),
  currency: 'USD',
  fee: usd('5.00'),
  feeRate: 500n,
  title: '',
  description: null,
  clientOrderRef: null,
  metadata: {},
  closeReason: null,
  escrow: null,
  dispute: null,
  milestones: [],
  createdAt: 0,
  updatedAt: 0,
};

export const anEscrow = (status: Escrow['status']): Escrow => ({
  id: 'esc_1',
  orderId: 'ord_1',
  status,
  contractType: 'SINGLE_RELEASE',
  amount: usd('100.00'),
  feeRate: 500n,
  buyerAddress: 'GADA',
  sellerAddress: 'GBO',
  platformAddress: 'GPLATFORM',
  resolverAddress: 'GRESOLVER',
  deployHash: 'hash',
  providerContractId: 'C1',
  createdAt: 0,
  fundedAt: 0,
  releasedAt: null,
  refundedAt: null,
});

export const aDispute = (status: Dispute['status']): Dispute => ({
  id: 'dsp_1',
  orderId: 'ord_1',
  openedBy: 'BUYER',
  reason: 'OTHER',
  evidence: null,
  status,
  assignedTo: null,
  claim: null,
  createdAt: 0,
  updatedAt: 0,
  resolvedAt: null,
});

export const aMilestone = (status: Milestone['status'], amount = '100.00'): Milestone => ({
  id: 'mil_1',
  orderId: 'ord_1',
  ref: 'm1',
  title: '',
  amount: usd(amount),
  status,
  completedAt: null,
});
