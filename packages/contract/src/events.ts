//! Every event that Holdfast publishes, in the specification's order, then our own. No other event
//! may be emitted. CONTRIBUTING.md, "Add an event", has the steps for a new one.
import { idPattern } from '@holdfast/kernel/ids';
import { type Static, type TObject, type TProperties, Type } from 'typebox';
import {
  AGGREGATE_TYPES,
  CLOSE_REASONS,
  DECISIONS,
  DESTINATION_TYPES,
  DISPUTE_PARTIES,
  PAUSE_CAUSES,
  STOP_LEVELS,
  USER_STATUSES,
  USER_TYPES,
} from '#enums';
import { amount, closed, currency, id, instant, nullable, oneOf, record } from '#fields';

export type AggregateType = (typeof AGGREGATE_TYPES)[number];

export interface EventRow<P extends TProperties = TProperties> {
  readonly aggregateType: AggregateType;
  readonly description: string;
  readonly payload: TObject<P>;
}

function event<P extends TProperties>(
  aggregateType: AggregateType,
  description: string,
  payload: P,
): EventRow<P> {
  return { aggregateType, description, payload: closed(payload) };
}

const words = (description?: string) =>
  Type.String({ minLength: 1, ...(description === undefined ? {} : { description }) });
const optionalText = () => Type.Optional(Type.String());
const money = { userId: id('usr'), amount: amount(), currency: currency() };
const available = { previousAvailableBalance: amount(), newAvailableBalance: amount() };
const reserved = { previousReservedBalance: amount(), newReservedBalance: amount() };
const reservedIfMoved = {
  previousReservedBalance: Type.Optional(amount()),
  newReservedBalance: Type.Optional(amount()),
};

/** Whose hold it is: an order's, a withdrawal's, or null for a manual hold without an order. */
const holder = () =>
  nullable(
    Type.String({ pattern: `${idPattern('ord')}|${idPattern('wd')}`, examples: ['ord_…', 'wd_…'] }),
  );

/** The kinds of journal entries that these events report. */
const SOURCE =
  'Origin of the money: `credit` (manual), `topup`, `deposit`, `order_release`, `order_refund`, ' +
  '`topup_fee_refund`, `topup_reinstated`, `withdrawal_return`, `sync_credit`, `exception_credit`, or `escrow_unfund` (a refused funding; the ' +
  'money is reserved again at once)';
const DESTINATION =
  'Where the money went: `debit` (manual), `spend` (manual, from reserved money), ' +
  '`escrow_fund` (reserved money, into the escrow of the order), `withdrawal_payout`, ' +
  '`withdrawal_crypto`, `withdrawal_retake`, `topup_fee_charge`, `topup_reversal`, `exception_charge`, `debt_repayment` or `sync_debit`';

const CANCELED_BY =
  'The id of the API key or operator, `system` when it expired, or `payment-provider`';

/** The amount that was added to or taken from the debt, for what, and the debt then. */
const debt = { ...money, subjectId: words(), owed: amount() };

const order = { orderId: id('ord') };
const escrow = { escrowId: id('esc'), ...order };
const contract = { ...escrow, providerContractId: words(), amount: amount() };
const requested = { ...order, requestedBy: words(), requestedAt: instant() };
const dispute = { disputeId: id('dsp'), ...order };
const withdrawal = { withdrawalId: id('wd'), userId: id('usr') };
const topup = { topupId: id('topup'), userId: id('usr'), amount: amount() };
const payout = { ...withdrawal, amount: amount() };
const stop = { marketplaceId: id('mkt'), level: oneOf(STOP_LEVELS), reason: words() };

// biome-ignore format: a table is the one thing exempt from the line limit.
export const events = {
  'user.created': event('User', 'A user was created.', { userId: id('usr'), externalUserId: words(), email: optionalText(), type: oneOf(USER_TYPES), status: oneOf(USER_STATUSES) }),
  'user.payment_account_linked': event('User', "The user's account at the payment provider was linked.", { userId: id('usr'), paymentAccountUserId: words(), linkedAt: instant() }),
  'user.ledger_linked': event('User', 'The user was assigned an address on the blockchain.', { userId: id('usr'), ledgerAddress: words(), linkedAt: instant() }),

  'balance.credited': event('Balance', 'Money became available to a user.', { ...money, source: words(SOURCE), sourceId: optionalText(), ...available }),
  'balance.debited': event('Balance', 'Money left the balance of a user. A debit of reserved money does not change the available balance, and contains the reserved balances.', { ...money, destination: words(DESTINATION), destinationId: optionalText(), ...available, ...reservedIfMoved }),
  'balance.reserved': event('Balance', 'Available money was reserved.', { ...money, orderId: holder(), ...reserved, ...available }),
  'balance.released': event('Balance', 'Reserved money became available again.', { ...money, orderId: holder(), reason: Type.String(), ...reserved, ...available }),

  'topup.created': event('TopUp', 'A top-up was created.', money),
  'topup.confirmation_required': event('TopUp', 'The user must confirm the payment on the payment page.', { topupId: id('topup'), confirmationUri: words() }),
  'topup.processing': event('TopUp', 'The payment provider is processing the payment.', { topupId: id('topup'), providerPayinId: words() }),
  'topup.succeeded': event('TopUp', 'The payment was received and credited.', { ...topup, currency: currency(), newAvailableBalance: amount(), providerPayinId: optionalText() }),
  'topup.failed': event('TopUp', 'The payment failed.', { ...topup, reason: words(), errorCode: optionalText(), providerPayinId: optionalText() }),
  'topup.canceled': event('TopUp', 'The top-up was canceled.', { ...topup, canceledBy: words(), reason: optionalText() }),

  'order.created': event('Order', 'An order was created; no money is reserved yet.', { ...order, buyerId: id('usr'), sellerId: id('usr'), amount: amount(), currency: currency(), title: Type.String(), description: optionalText(), clientOrderRef: optionalText() }),
  'order.funds_reserved': event('Order', 'The money of the buyer was reserved for the order.', { ...order, buyerId: id('usr'), amount: amount(), currency: currency(), reservedBalance: amount(), availableBalance: amount() }),
  'order.escrow_creating': event('Order', 'The contract is being deployed.', { ...order, escrowId: id('esc'), amount: amount() }),
  'order.escrow_funding': event('Order', 'The contract is deployed and waiting for funding.', contract),
  'order.escrow_funded': event('Order', 'The contract holds the money of the buyer.', { ...contract, fundedAt: instant() }),
  'order.in_progress': event('Order', 'The seller can start working.', escrow),
  'order.release_requested': event('Order', 'A release to the seller was requested.', requested),
  'order.released': event('Order', 'The seller has been paid from escrow.', { ...order, sellerId: id('usr'), amount: amount(), currency: currency(), releasedAt: instant(), newSellerBalance: amount() }),
  'order.refund_requested': event('Order', 'A refund to the buyer was requested.', requested),
  'order.refunded': event('Order', 'The buyer has been refunded from escrow.', { ...order, buyerId: id('usr'), amount: amount(), currency: currency(), refundedAt: instant(), newBuyerBalance: amount() }),
  'order.disputed': event('Order', 'A party opened a dispute on the order.', { ...order, disputeId: id('dsp'), openedBy: oneOf(DISPUTE_PARTIES), reason: words(), openedAt: instant() }),
  'order.closed': event('Order', 'The order reached its final state.', { ...order, finalStatus: oneOf(CLOSE_REASONS), closedAt: instant() }),
  'order.canceled': event('Order', 'The order was canceled before any escrow.', { ...order, buyerId: id('usr'), canceledBy: words(), reason: optionalText(), canceledAt: instant(), fundsReleased: Type.Boolean() }),

  'escrow.created': event('Escrow', 'The contract of an order was deployed.', { ...escrow, amount: amount(), currency: currency() }),
  'escrow.funding_started': event('Escrow', 'Funding of the contract started.', contract),
  'escrow.funded': event('Escrow', 'The contract holds the money.', { ...contract, fundedAt: instant() }),
  'escrow.milestone_completed': event('Escrow', 'A milestone was completed.', { ...escrow, milestoneRef: words(), milestoneTitle: Type.String(), amount: amount(), completedAt: instant() }),
  'escrow.released': event('Escrow', 'The contract paid the seller.', { ...escrow, sellerId: id('usr'), amount: amount(), releasedAt: instant() }),
  'escrow.refunded': event('Escrow', 'The contract refunded the buyer.', { ...escrow, buyerId: id('usr'), amount: amount(), refundedAt: instant() }),

  'dispute.opened': event('Dispute', 'A dispute was opened.', { ...dispute, openedBy: oneOf(DISPUTE_PARTIES), reason: words(), evidence: Type.Optional(Type.Array(Type.String())), openedAt: instant() }),
  'dispute.under_review': event('Dispute', 'The dispute was assigned to an agent.', { ...dispute, reviewedBy: optionalText(), reviewStartedAt: instant() }),
  'dispute.resolved': event('Dispute', 'The dispute was decided and the decision executed.', { ...dispute, decision: oneOf(DECISIONS), decisionNote: optionalText(), resolvedBy: words(), resolvedAt: instant(), buyerAmount: Type.Optional(amount()), sellerAmount: Type.Optional(amount()) }),

  'withdrawal.created': event('Withdrawal', 'A withdrawal was created and its money is held.', { ...withdrawal, amount: amount(), currency: currency(), destinationType: oneOf(DESTINATION_TYPES), destinationRef: words() }),
  'withdrawal.committed': event('Withdrawal', 'The withdrawal was confirmed and is being paid out.', { ...payout, currency: currency(), committedBalance: amount(), availableBalance: amount() }),
  'withdrawal.pending': event('Withdrawal', 'The payout is in transit.', { ...withdrawal, providerPayoutId: words(), amount: amount() }),
  'withdrawal.pending_user_action': event('Withdrawal', 'The recipient must act first.', { ...withdrawal, actionRequired: words(), actionUrl: optionalText() }),
  'withdrawal.completed': event('Withdrawal', 'The money has been paid out.', { ...payout, currency: currency(), completedAt: instant(), providerPayoutId: optionalText() }),
  'withdrawal.failed': event('Withdrawal', 'The payout failed; the money is available again.', { ...payout, reason: words(), errorCode: optionalText(), providerPayoutId: optionalText() }),
  'withdrawal.canceled': event('Withdrawal', 'The withdrawal was canceled; the money is available again.', { ...payout, canceledBy: words(CANCELED_BY), reason: optionalText(), refundedToBalance: Type.Boolean(), newAvailableBalance: Type.Optional(amount()) }),

  // Ours, beyond the specification.
  'webhook.paused': event('WebhookEndpoint', 'An endpoint was paused until it is resumed; its backlog is kept.', { webhookEndpointId: id('whe'), url: words(), cause: oneOf(PAUSE_CAUSES), reason: Type.String(), pausedAt: instant() }),
  'dispute.evidence_added': event('Dispute', 'A party added evidence or a statement; the event does not contain it.', { ...dispute, evidenceId: id('evd'), party: oneOf(DISPUTE_PARTIES), addedAt: instant() }),
  'topup.reversed': event('TopUp', "The payer's bank took the payment back; the user was charged with it.", { ...topup, currency: currency() }),
  'topup.reinstated': event('TopUp', 'A reversed payment was received again; the user was credited with it.', { ...topup, currency: currency() }),
  'withdrawal.returned': event('Withdrawal', 'A completed payout came back; the user was credited with it.', { ...payout, currency: currency(), returnedAt: instant() }),
  'user.debt_opened': event('User', 'The user owes money: a charge was larger than the available balance.', debt),
  'user.debt_repaid': event('User', 'Debt of the user was repaid from the available balance.', debt),
  'user.debt_written_off': event('User', 'Debt of the user was written off; the marketplace bears it.', debt),
  'marketplace.stopped': event('Marketplace', 'A stop was set on the marketplace.', { ...stop, stoppedBy: words(), stoppedAt: instant() }),
  'marketplace.stop_lifted': event('Marketplace', 'A stop of the marketplace was lifted.', { ...stop, liftedBy: words(), liftedAt: instant() }),
  'marketplace.rewound': event('Marketplace', 'The database was restored or failed over, and open again; what was written since `lostFrom` may be lost.', { marketplaceId: id('mkt'), lostFrom: instant(), openedAt: instant() }),
} as const;

export type EventName = keyof typeof events;
export type PayloadOf<N extends EventName> = Static<(typeof events)[N]['payload']>;

/** What repays a debt first: before money is held, and after a user was paid. */
export const DEBT_REPAYMENT = [
  'balance.debited',
  'user.debt_repaid',
] as const satisfies readonly EventName[];

export const EVENT_NAMES = Object.keys(events) as readonly EventName[];

export function isEventName(text: string): text is EventName {
  return Object.hasOwn(events, text);
}

const family = (type: string) => type.slice(0, type.indexOf('.'));

const AGGREGATE_TYPE_OF_FAMILY = new Map<string, AggregateType>(
  EVENT_NAMES.map((name) => [family(name), events[name].aggregateType]),
);

/**
 * By the first word of the type: while two builds run side by side, the older one publishes types
 * that only the newer one knows. An unknown family is its own aggregate type.
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
    correlationId: Type.Optional(
      Type.String({ description: 'The X-Request-ID of the call that made the change.' }),
    ),
    causationId: Type.Optional(
      Type.String({
        description:
          "The operation (`op_…`) or the provider's notification (`inb_…`) that made the change. " +
          'Absent where the call itself or a background job made it.',
      }),
    ),
    userId: Type.Optional({
      ...id('usr'),
      description:
        'The user that the event is about. Absent where it is about two, such as the parties of ' +
        'an order, or about none.',
    }),
    marketplaceId: Type.Optional(id('mkt')),
  }),
});

export type EventEnvelope = Static<typeof eventEnvelope>;
