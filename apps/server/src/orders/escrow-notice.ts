//! What an escrow provider's notice claims, whether its order has come that far, and where it
//! contradicts what we know.
import type { EscrowState } from '@holdfast/contract/escrow-machine';
import { type OrderState, orderMachine } from '@holdfast/contract/order-machine';
import { stroopsOf } from '../providers/stroops.ts';
import type { Order } from './order.ts';

export const ESCROW_NOTICES = [
  'escrow.created',
  'escrow.funding_started',
  'escrow.funded',
  'escrow.milestone_completed',
  'escrow.released',
  'escrow.refunded',
  'escrow.disputed',
] as const;

/** Null where the provider did not say. */
export interface EscrowNotice {
  readonly type: (typeof ESCROW_NOTICES)[number];
  readonly contractId: string | null;
  readonly orderId: string | null;
  readonly transactionHash: string | null;
  readonly milestoneRef: string | null;
  /** In the network's smallest unit. */
  readonly amount: string | null;
  readonly currency: string | null;
  readonly buyerAddress: string | null;
  readonly sellerAddress: string | null;
}

const FAR: Readonly<Record<EscrowState, number>> = {
  CREATING: 0,
  CREATED: 1,
  FUNDING: 2,
  FUNDED: 3,
  DISPUTED: 4,
  RELEASED: 5,
  REFUNDED: 5,
  ARCHIVED: 6,
};

/** How far an escrow is once the notice is true. The funding's beginning is ours to write. */
const GOALS: Readonly<Record<Exclude<EscrowNotice['type'], Milestones>, EscrowState>> = {
  'escrow.created': 'CREATED',
  'escrow.funding_started': 'CREATED',
  'escrow.funded': 'FUNDED',
  'escrow.disputed': 'DISPUTED',
  'escrow.released': 'RELEASED',
  'escrow.refunded': 'REFUNDED',
};
type Milestones = 'escrow.milestone_completed';

const { requestRelease, requestRefund, openDispute } = orderMachine.moves;
/** Where an operation of ours settles the contract, or will. */
const IS_SETTLED_BY_US: readonly OrderState[] = [
  requestRelease.to,
  requestRefund.to,
  openDispute.to,
];

/** True when the order is where the notice says, or past it: it is late, or tells what we did. */
export function isReached(order: Order, { type, milestoneRef }: EscrowNotice): boolean {
  const { escrow, status, closeReason, milestones } = order;
  if (escrow === null || closeReason !== null) return true;
  if (type === 'escrow.milestone_completed') {
    if (status !== 'IN_PROGRESS') return FAR[escrow.status] >= FAR.FUNDED;
    // The contract of an order without milestones has one of its own.
    if (milestones.length === 0) return true;
    return milestones.some(({ ref, status: is }) => ref === milestoneRef && is === 'COMPLETED');
  }
  if (type === 'escrow.disputed' && IS_SETTLED_BY_US.includes(status)) return true;
  return FAR[escrow.status] >= FAR[GOALS[type]];
}

/** Undefined when the notice says nothing that can't be. */
export function contradictionOf(order: Order, notice: EscrowNotice): string | undefined {
  const { escrow, currency, milestones } = order;
  if (notice.orderId !== null && notice.orderId !== order.id)
    return 'the contract is not of the order it names';
  if (notice.transactionHash !== null && !/^[0-9a-f]{64}$/.test(notice.transactionHash))
    return 'the transaction is none';
  if (escrow === null) return 'the order has no contract';
  const { providerContractId, buyerAddress, sellerAddress } = escrow;
  if (providerContractId !== null && differs(notice.contractId, providerContractId))
    return 'the contract is not the one we deployed';
  if (differs(notice.buyerAddress, buyerAddress) || differs(notice.sellerAddress, sellerAddress))
    return 'the parties are not those of the contract';
  if (notice.currency !== null && !['USDC', currency].includes(notice.currency))
    return 'the currency is not that of the contract';
  if (notice.amount !== null && !isAmountRight(order, notice.type, notice.amount))
    return 'the amount is not that of the contract';
  const isUnknown = !milestones.some(({ ref }) => ref === notice.milestoneRef);
  return notice.type === 'escrow.milestone_completed' && milestones.length > 0 && isUnknown
    ? 'the order has no such milestone'
    : undefined;
}

function differs(told: string | null, known: string): boolean {
  return told !== null && told !== known;
}

/** Where money moves. Anybody can send a contract more than was agreed; it pays that out too. */
function isAmountRight({ amount }: Order, type: EscrowNotice['type'], told: string): boolean {
  if (!/^\d{1,30}$/.test(told)) return false;
  const agreed = stroopsOf(amount);
  if (type === 'escrow.funded') return BigInt(told) === agreed;
  return !['escrow.released', 'escrow.refunded'].includes(type) || BigInt(told) >= agreed;
}
