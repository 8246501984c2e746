//! Applies events of orders, escrows and disputes: the state of a purchase, and its timeline.
import type { HoldfastEvent, Order } from '@holdfast/sdk';
import type { Database } from '../store/database.ts';
import { addDispute, decideDispute, takeDispute } from '../store/disputes.ts';
import { addNotification } from '../store/notifications.ts';
import { findPerson } from '../store/people.ts';
import {
  completeMilestone,
  findPurchase,
  linkOrder,
  type Purchase,
  purchaseOfOrder,
  setCloseReason,
  setStatus,
  setTrouble,
} from '../store/purchases.ts';
import { DISPUTE_REASONS, dollars } from '../web/words.ts';

/** The purchase that it was about; undefined for what is not the shop's. */
export function applyOrderEvent(database: Database, event: HoldfastEvent): Purchase | undefined {
  const { payload } = event as { payload: { orderId?: unknown } };
  if (typeof payload.orderId !== 'string') return undefined;
  if (event.eventType === 'order.created') {
    // The event may come before the response of the call that created the order.
    const cart = event.payload.clientOrderRef?.replace(/^checkout:/, '') ?? '';
    if (findPurchase(database, cart)) linkOrder(database, cart, payload.orderId);
  }
  const purchase = purchaseOfOrder(database, payload.orderId);
  if (purchase === undefined) return undefined;
  moveStatus(database, purchase, event);
  moveParts(database, purchase, event);
  const words = wordsFor(database, purchase, event);
  if (words !== undefined) {
    const { eventId, occurredAt } = event;
    addNotification(database, { id: eventId, purchase: purchase.id, words, at: occurredAt });
  }
  return purchase;
}

/** The status after an event. Events that end an operation also settle unknown outcomes. */
const MOVES: Readonly<
  Partial<Record<HoldfastEvent['eventType'], readonly [to: Order['status'], settles?: 'settles']>>
> = {
  'order.created': ['ORDER_CREATED'],
  'order.funds_reserved': ['FUNDS_RESERVED'],
  'order.escrow_creating': ['ESCROW_CREATING'],
  'order.escrow_funding': ['ESCROW_FUNDING', 'settles'],
  'order.in_progress': ['IN_PROGRESS', 'settles'],
  'order.release_requested': ['RELEASE_REQUESTED'],
  'order.refund_requested': ['REFUND_REQUESTED'],
  'order.disputed': ['DISPUTED', 'settles'],
  'order.closed': ['CLOSED', 'settles'],
};

function moveStatus(database: Database, { id }: Purchase, event: HoldfastEvent): void {
  const [to, settles] = MOVES[event.eventType] ?? [];
  if (to !== undefined) setStatus(database, id, to, event.occurredAt);
  if (settles !== undefined) setTrouble(database, id, null);
  if (event.eventType === 'order.closed') setCloseReason(database, id, event.payload.finalStatus);
}

function moveParts(database: Database, { id, amount }: Purchase, event: HoldfastEvent): void {
  switch (event.eventType) {
    case 'escrow.milestone_completed': {
      const { milestoneRef, completedAt } = event.payload;
      completeMilestone(database, id, milestoneRef, completedAt);
      break;
    }
    case 'dispute.opened': {
      const { disputeId, reason } = event.payload;
      const known = reason in DISPUTE_REASONS ? (reason as keyof typeof DISPUTE_REASONS) : 'OTHER';
      addDispute(database, { id: disputeId, purchase: id, reason: known });
      break;
    }
    case 'dispute.under_review':
      takeDispute(database, event.payload.disputeId, event.payload.reviewedBy ?? 'Support');
      break;
    case 'dispute.resolved': {
      const { disputeId, decision, decisionNote, sellerAmount, buyerAmount } = event.payload;
      // Only a split names its parts: otherwise one side gets everything.
      decideDispute(database, disputeId, {
        decision,
        sellerAmount: sellerAmount ?? (decision === 'FULL_RELEASE' ? amount : '0.00'),
        buyerAmount: buyerAmount ?? (decision === 'FULL_REFUND' ? amount : '0.00'),
        note: decisionNote ?? null,
      });
      break;
    }
    default:
  }
}

function wordsFor(
  database: Database,
  purchase: Purchase,
  event: HoldfastEvent,
): string | undefined {
  const buyer = findPerson(database, purchase.buyer)?.name ?? 'The buyer';
  const seller = findPerson(database, purchase.seller)?.name ?? 'The seller';
  switch (event.eventType) {
    case 'order.created':
      return `${buyer} placed the order.`;
    case 'order.funds_reserved':
      return `${dollars(event.payload.amount)} of ${buyer}’s balance is reserved.`;
    case 'order.escrow_creating':
      return 'The escrow is being opened.';
    case 'order.in_progress':
      return `The money is in escrow. ${seller} can start.`;
    case 'escrow.milestone_completed':
      return `${seller} has finished “${event.payload.milestoneTitle}”.`;
    case 'order.release_requested':
      return `${buyer} approved. ${seller} is being paid.`;
    case 'order.released':
      return `${seller} has been paid ${dollars(event.payload.amount)}.`;
    case 'order.refund_requested':
      return `${seller} is refunding the order.`;
    case 'order.refunded':
      return `${dollars(event.payload.amount)} was refunded to ${buyer}.`;
    case 'order.disputed':
      return `${buyer} opened a dispute. The money stays in escrow.`;
    case 'dispute.under_review':
      return 'Support is reviewing the dispute.';
    case 'dispute.resolved':
      return 'Support resolved the dispute.';
    case 'order.canceled':
      return 'The order was canceled.';
    default:
      return undefined;
  }
}
