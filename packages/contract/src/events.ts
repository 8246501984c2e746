//! Every event we publish, in the specification's order. Nothing else may be emitted.
import { idPattern } from '@holdfast/kernel/ids';
import { type Static, type TObject, type TProperties, Type } from 'typebox';
import { amount, closed, currency, id, instant, nullable, oneOf, record } from '#fields';
import {
  AGGREGATE_TYPES,
  CLOSE_REASONS,
  DECISIONS,
  DESTINATION_TYPES,
  DISPUTE_PARTIES,
  PAUSE_CAUSES,
  USER_STATUSES,
  USER_TYPES,
} from '#words';

export type AggregateType = (typeof AGGREGATE_TYPES)[number];

export interface EventRow<P extends TProperties = TProperties> {
  readonly aggregateType: AggregateType;
  readonly means: string;
  readonly payload: TObject<P>;
}

function event<P extends TProperties>(
  aggregateType: AggregateType,
  means: string,
  payload: P,
): EventRow<P> {
  return { aggregateType, means, payload: closed(payload) };
}

const words = () => Type.String({ minLength: 1 });
const maybe = () => Type.Optional(Type.String());
const money = { userId: id('usr'), amount: amount(), currency: currency() };
const available = { previousAvailableBalance: amount(), newAvailableBalance: amount() };
const reserved = { previousReservedBalance: amount(), newReservedBalance: amount() };

/** Whose hold it is: an order's, a withdrawal's, or null for a manual hold without an order. */
const holder = () =>
  nullable(
    Type.String({ pattern: `${idPattern('ord')}|${idPattern('wd')}`, examples: ['ord_…', 'wd_…'] }),
  );

const order = { orderId: id('ord') };
const escrow = { escrowId: id('esc'), ...order };
const contract = { ...escrow, providerContractId: words(), amount: amount() };
const requested = { ...order, requestedBy: words(), requestedAt: instant() };
const dispute = { disputeId: id('dsp'), ...order };
const withdrawal = { withdrawalId: id('wd'), userId: id('usr') };
const topup = { topupId: id('topup'), userId: id('usr'), amount: amount() };
const payout = { ...withdrawal, amount: amount() };

// biome-ignore format: a table is the one thing exempt from the line limit.
export const events = {
  'user.created': event('User', 'A user was created.', { userId: id('usr'), externalUserId: words(), email: maybe(), type: oneOf(USER_TYPES), status: oneOf(USER_STATUSES) }),
  'user.payment_account_linked': event('User', "The user's account at the payment provider was linked.", { userId: id('usr'), paymentAccountUserId: words(), linkedAt: instant() }),
  'user.ledger_linked': event('User', 'The user got an address on the ledger network.', { userId: id('usr'), ledgerAddress: words(), linkedAt: instant() }),

  'balance.credited': event('Balance', 'Money became available to a user.', { ...money, source: words(), sourceId: maybe(), ...available }),
  'balance.debited': event('Balance', "Money left a user's balance. What was reserved before leaves available as it is.", { ...money, destination: words(), destinationId: maybe(), ...available }),
  'balance.reserved': event('Balance', 'Available money was set aside.', { ...money, orderId: holder(), ...reserved, ...available }),
  'balance.released': event('Balance', 'Money that was set aside became available again.', { ...money, orderId: holder(), reason: Type.String(), ...reserved, ...available }),

  'topup.created': event('TopUp', 'A top-up was asked for.', money),
  'topup.confirmation_required': event('TopUp', 'The user must confirm the payment on the pay page.', { topupId: id('topup'), confirmationUri: words() }),
  'topup.processing': event('TopUp', 'The payment provider is working on the payment.', { topupId: id('topup'), providerPayinId: words() }),
  'topup.succeeded': event('TopUp', 'The payment came in and was credited.', { ...topup, currency: currency(), newAvailableBalance: amount(), providerPayinId: maybe() }),
  'topup.failed': event('TopUp', 'The payment did not come in.', { ...topup, reason: words(), errorCode: maybe(), providerPayinId: maybe() }),
  'topup.canceled': event('TopUp', 'The top-up was canceled.', { ...topup, canceledBy: words(), reason: maybe() }),

  'order.created': event('Order', 'A buyer and a seller agreed; no money is set aside yet.', { ...order, buyerId: id('usr'), sellerId: id('usr'), amount: amount(), currency: currency(), title: Type.String(), description: maybe(), clientOrderRef: maybe() }),
  'order.funds_reserved': event('Order', "The buyer's money was set aside for the order.", { ...order, buyerId: id('usr'), amount: amount(), currency: currency(), reservedBalance: amount(), availableBalance: amount() }),
  'order.escrow_creating': event('Order', 'The contract is being deployed.', { ...order, escrowId: id('esc'), amount: amount() }),
  'order.escrow_funding': event('Order', 'The contract is deployed and waits for the money.', contract),
  'order.escrow_funded': event('Order', "The contract holds the buyer's money.", { ...contract, fundedAt: instant() }),
  'order.in_progress': event('Order', 'The seller can start working.', escrow),
  'order.release_requested': event('Order', 'Someone asked for the seller to be paid.', requested),
  'order.released': event('Order', 'The seller has been paid out of escrow.', { ...order, sellerId: id('usr'), amount: amount(), currency: currency(), releasedAt: instant(), newSellerBalance: amount() }),
  'order.refund_requested': event('Order', 'Someone asked for the buyer to get the money back.', requested),
  'order.refunded': event('Order', 'The buyer got money back out of escrow.', { ...order, buyerId: id('usr'), amount: amount(), currency: currency(), refundedAt: instant(), newBuyerBalance: amount() }),
  'order.disputed': event('Order', 'A party disputes the order.', { ...order, disputeId: id('dsp'), openedBy: oneOf(DISPUTE_PARTIES), reason: words(), openedAt: instant() }),
  'order.closed': event('Order', 'Nothing more happens to the order.', { ...order, finalStatus: oneOf(CLOSE_REASONS), closedAt: instant() }),
  'order.canceled': event('Order', 'The order was given up before any escrow.', { ...order, buyerId: id('usr'), canceledBy: words(), reason: maybe(), canceledAt: instant(), fundsReleased: Type.Boolean() }),

  'escrow.created': event('Escrow', 'The contract of an order was deployed.', { ...escrow, amount: amount(), currency: currency() }),
  'escrow.funding_started': event('Escrow', 'Money is on its way into the contract.', contract),
  'escrow.funded': event('Escrow', 'The contract holds the money.', { ...contract, fundedAt: instant() }),
  'escrow.milestone_completed': event('Escrow', 'A milestone was completed.', { ...escrow, milestoneRef: words(), milestoneTitle: Type.String(), amount: amount(), completedAt: instant() }),
  'escrow.released': event('Escrow', 'The contract paid the seller.', { ...escrow, sellerId: id('usr'), amount: amount(), releasedAt: instant() }),
  'escrow.refunded': event('Escrow', 'The contract paid the buyer back.', { ...escrow, buyerId: id('usr'), amount: amount(), refundedAt: instant() }),

  'dispute.opened': event('Dispute', 'A dispute was opened.', { ...dispute, openedBy: oneOf(DISPUTE_PARTIES), reason: words(), evidence: Type.Optional(Type.Array(Type.String())), openedAt: instant() }),
  'dispute.under_review': event('Dispute', 'An agent took the dispute up.', { ...dispute, reviewedBy: maybe(), reviewStartedAt: instant() }),
  'dispute.resolved': event('Dispute', 'The dispute was decided and the decision carried out.', { ...dispute, decision: oneOf(DECISIONS), decisionNote: maybe(), resolvedBy: words(), resolvedAt: instant(), buyerAmount: Type.Optional(amount()), sellerAmount: Type.Optional(amount()) }),

  'withdrawal.created': event('Withdrawal', 'A withdrawal was asked for and its money is held.', { ...withdrawal, amount: amount(), currency: currency(), destinationType: oneOf(DESTINATION_TYPES), destinationRef: words() }),
  'withdrawal.committed': event('Withdrawal', 'The withdrawal was confirmed and is being paid out.', { ...payout, currency: currency(), committedBalance: amount(), availableBalance: amount() }),
  'withdrawal.pending': event('Withdrawal', 'The pay-out is on its way.', { ...withdrawal, providerPayoutId: words(), amount: amount() }),
  'withdrawal.pending_user_action': event('Withdrawal', 'The recipient must do something first.', { ...withdrawal, actionRequired: words(), actionUrl: maybe() }),
  'withdrawal.completed': event('Withdrawal', 'The money has been paid out.', { ...payout, currency: currency(), completedAt: instant(), providerPayoutId: maybe() }),
  'withdrawal.failed': event('Withdrawal', 'The pay-out failed; the money is available again.', { ...payout, reason: words(), errorCode: maybe(), providerPayoutId: maybe() }),
  'withdrawal.canceled': event('Withdrawal', 'The withdrawal was canceled.', { ...payout, canceledBy: words(), reason: maybe(), refundedToBalance: Type.Boolean(), newAvailableBalance: Type.Optional(amount()) }),

  // Ours, beyond the specification.
  'webhook.paused': event('WebhookEndpoint', 'Nothing is sent to an endpoint any more until it is resumed; its backlog is kept.', { webhookEndpointId: id('whe'), url: words(), cause: oneOf(PAUSE_CAUSES), reason: Type.String(), pausedAt: instant() }),
  'dispute.evidence_added': event('Dispute', 'A side said something more; what it said is read, and not told here.', { ...dispute, evidenceId: id('evd'), party: oneOf(DISPUTE_PARTIES), addedAt: instant() }),
} as const;

export type EventName = keyof typeof events;
export type PayloadOf<N extends EventName> = Static<(typeof events)[N]['payload']>;

export const EVENT_NAMES = Object.keys(events) as readonly EventName[];

export function isEventName(text: string): text is EventName {
  return Object.hasOwn(events, text);
}

const family = (type: string) => type.slice(0, type.indexOf('.'));

const AGGREGATE_TYPE_OF_FAMILY = new Map<string, AggregateType>(
  EVENT_NAMES.map((name) => [family(name), events[name].aggregateType]),
);

/**
 * By the first word of the type: while two builds run side by side, the older one tells types that
 * only the newer one knows. A family that is new as well is about what it is called.
 */
export function aggregateTypeOf(type: string): AggregateType {
  const word = family(type);
  const called = `${word.charAt(0).toUpperCase()}${word.slice(1)}` as AggregateType;
  return AGGREGATE_TYPE_OF_FAMILY.get(word) ?? called;
}

/** Microseconds: the cursor of the stream, strictly increasing within a marketplace. */
export const OCCURRED_AT_PATTERN = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{6}Z$';

export const eventEnvelope = record('EventEnvelope', {
  eventId: id('evt'),
  eventType: oneOf(EVENT_NAMES),
  occurredAt: Type.String({
    pattern: OCCURRED_AT_PATTERN,
    examples: ['2026-03-01T12:00:00.000001Z'],
  }),
  aggregateId: Type.String(),
  aggregateType: oneOf(AGGREGATE_TYPES),
  payload: Type.Unsafe<PayloadOf<EventName>>({ type: 'object', additionalProperties: true }),
  metadata: Type.Object({
    correlationId: Type.Optional(Type.String()),
    causationId: Type.Optional(Type.String()),
    userId: Type.Optional(id('usr')),
    marketplaceId: Type.Optional(id('mkt')),
  }),
});

export type EventEnvelope = Static<typeof eventEnvelope>;
