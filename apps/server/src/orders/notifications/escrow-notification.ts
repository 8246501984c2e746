//! An escrow provider's notification: its claims, whether its order has reached them, and whether
//! they contradict our records.
import type { EscrowState } from '@holdfast/contract/machines/escrow-machine';
import { type OrderState, orderMachine } from '@holdfast/contract/machines/order-machine';
import { stroopsOf } from '../../providers/network/stroops.ts';
import type { Order } from '../model/order.ts';

export const ESCROW_NOTIFICATION_TYPES = [
  'escrow.created',
  'escrow.funding_started',
  'escrow.funded',
  'escrow.milestone_completed',
  'escrow.released',
  'escrow.refunded',
  'escrow.disputed',
] as const;

/** Null for fields that the provider did not send. */
export interface EscrowNotification {
  readonly type: (typeof ESCROW_NOTIFICATION_TYPES)[number];
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

const PROGRESS: Readonly<Record<EscrowState, number>> = {
  CREATING: 0,
  CREATED: 1,
  FUNDING: 2,
  FUNDED: 3,
  DISPUTED: 4,
  RELEASED: 5,
  REFUNDED: 5,
  ARCHIVED: 6,
};

/** The escrow's state once the notification is true. Only we record the start of the funding. */
const GOALS: Readonly<Record<Exclude<EscrowNotification['type'], Milestones>, EscrowState>> = {
  'escrow.created': 'CREATED',
  'escrow.funding_started': 'CREATED',
  'escrow.funded': 'FUNDED',
  'escrow.disputed': 'DISPUTED',
  'escrow.released': 'RELEASED',
  'escrow.refunded': 'REFUNDED',
};
type Milestones = 'escrow.milestone_completed';

const { requestRelease, requestRefund, openDispute } = orderMachine.moves;
/** States in which an operation of ours settles the contract, or will. */
const IS_SETTLED_BY_US: readonly OrderState[] = [
  requestRelease.to,
  requestRefund.to,
  openDispute.to,
];

/**
 * True when the order has reached the notified state or passed it: the notification is late, or
 * repeats our own action.
 */
export function isReached(order: Order, { type, milestoneRef }: EscrowNotification): boolean {
  const { escrow, status, closeReason, milestones } = order;
  if (escrow === null || closeReason !== null) return true;
  if (type === 'escrow.milestone_completed') {
    if (status !== 'IN_PROGRESS') return PROGRESS[escrow.status] >= PROGRESS.FUNDED;
    // The contract of an order without milestones has one of its own.
    if (milestones.length === 0) return true;
    return milestones.some(({ ref, status: is }) => ref === milestoneRef && is === 'COMPLETED');
  }
  if (type === 'escrow.disputed' && IS_SETTLED_BY_US.includes(status)) return true;
  return PROGRESS[escrow.status] >= PROGRESS[GOALS[type]];
}

/** Undefined when the notification contradicts nothing. */
export function contradictionOf(
  order: Order,
  notification: EscrowNotification,
): string | undefined {
  const { escrow, currency, milestones } = order;
  if (notification.orderId !== null && notification.orderId !== order.id)
    return 'The contract does not belong to the order in the notification.';
  if (notification.transactionHash !== null && !/^[0-9a-f]{64}$/.test(notification.transactionHash))
    return 'The transaction hash is invalid.';
  if (escrow === null) return 'The order has no contract.';
  const { providerContractId, buyerAddress, sellerAddress } = escrow;
  if (providerContractId !== null && differs(notification.contractId, providerContractId))
    return 'The notification names a different contract.';
  if (
    differs(notification.buyerAddress, buyerAddress) ||
    differs(notification.sellerAddress, sellerAddress)
  )
    return 'The parties in the notification differ from the contract.';
  if (notification.currency !== null && !['USDC', currency].includes(notification.currency))
    return 'The currency in the notification differs from the contract.';
  if (notification.amount !== null && !isAmountRight(order, notification.type, notification.amount))
    return 'The amount in the notification differs from the contract.';
  const isUnknown = !milestones.some(({ ref }) => ref === notification.milestoneRef);
  return notification.type === 'escrow.milestone_completed' && milestones.length > 0 && isUnknown
    ? 'The order has no such milestone.'
    : undefined;
}

function differs(claimed: string | null, known: string): boolean {
  return claimed !== null && claimed !== known;
}

/**
 * For notifications that move money. Anyone can send a contract more than agreed; it pays that out
 * too.
 */
function isAmountRight(
  { amount }: Order,
  type: EscrowNotification['type'],
  claimed: string,
): boolean {
  if (!/^\d{1,30}$/.test(claimed)) return false;
  const agreed = stroopsOf(amount);
  if (type === 'escrow.funded') return BigInt(claimed) === agreed;
  return !['escrow.released', 'escrow.refunded'].includes(type) || BigInt(claimed) >= agreed;
}
