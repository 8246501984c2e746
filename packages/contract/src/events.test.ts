//! Compares the event catalogue with the specification's, field by field.
import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import {
  aggregateTypeOf,
  EVENT_NAMES,
  type EventName,
  eventEnvelope,
  events,
  isEventName,
} from '#events';

const moved = 'previousAvailableBalance newAvailableBalance';
const held = `previousReservedBalance newReservedBalance ${moved}`;

/** The specification's catalogue, in its order; a question mark is an optional field. */
const catalogue: [string, string, string][] = [
  ['user.created', 'User', 'userId externalUserId email? type status'],
  ['user.payment_account_linked', 'User', 'userId paymentAccountUserId linkedAt'],
  ['user.ledger_linked', 'User', 'userId ledgerAddress linkedAt'],
  ['balance.credited', 'Balance', `userId amount currency source sourceId? ${moved}`],
  [
    'balance.debited',
    'Balance',
    `userId amount currency destination destinationId? ${moved} previousReservedBalance? newReservedBalance?`,
  ],
  ['balance.reserved', 'Balance', `userId amount currency orderId ${held}`],
  ['balance.released', 'Balance', `userId amount currency orderId reason ${held}`],
  ['topup.created', 'TopUp', 'userId amount currency'],
  ['topup.confirmation_required', 'TopUp', 'topupId confirmationUri'],
  ['topup.processing', 'TopUp', 'topupId providerPayinId'],
  [
    'topup.succeeded',
    'TopUp',
    'topupId userId amount currency newAvailableBalance providerPayinId?',
  ],
  ['topup.failed', 'TopUp', 'topupId userId amount reason errorCode? providerPayinId?'],
  ['topup.canceled', 'TopUp', 'topupId userId amount canceledBy reason?'],
  [
    'order.created',
    'Order',
    'orderId buyerId sellerId amount currency title description? clientOrderRef?',
  ],
  [
    'order.funds_reserved',
    'Order',
    'orderId buyerId amount currency reservedBalance availableBalance',
  ],
  ['order.escrow_creating', 'Order', 'orderId escrowId amount'],
  ['order.escrow_funding', 'Order', 'orderId escrowId providerContractId amount'],
  ['order.escrow_funded', 'Order', 'orderId escrowId providerContractId amount fundedAt'],
  ['order.in_progress', 'Order', 'orderId escrowId'],
  ['order.release_requested', 'Order', 'orderId requestedBy requestedAt'],
  ['order.released', 'Order', 'orderId sellerId amount currency releasedAt newSellerBalance'],
  ['order.refund_requested', 'Order', 'orderId requestedBy requestedAt'],
  ['order.refunded', 'Order', 'orderId buyerId amount currency refundedAt newBuyerBalance'],
  ['order.disputed', 'Order', 'orderId disputeId openedBy reason openedAt'],
  ['order.closed', 'Order', 'orderId finalStatus closedAt'],
  ['order.canceled', 'Order', 'orderId buyerId canceledBy reason? canceledAt fundsReleased'],
  ['escrow.created', 'Escrow', 'escrowId orderId amount currency'],
  ['escrow.funding_started', 'Escrow', 'escrowId orderId providerContractId amount'],
  ['escrow.funded', 'Escrow', 'escrowId orderId providerContractId amount fundedAt'],
  [
    'escrow.milestone_completed',
    'Escrow',
    'escrowId orderId milestoneRef milestoneTitle amount completedAt',
  ],
  ['escrow.released', 'Escrow', 'escrowId orderId sellerId amount releasedAt'],
  ['escrow.refunded', 'Escrow', 'escrowId orderId buyerId amount refundedAt'],
  ['dispute.opened', 'Dispute', 'disputeId orderId openedBy reason evidence? openedAt'],
  ['dispute.under_review', 'Dispute', 'disputeId orderId reviewedBy? reviewStartedAt'],
  [
    'dispute.resolved',
    'Dispute',
    'disputeId orderId decision decisionNote? resolvedBy resolvedAt buyerAmount? sellerAmount?',
  ],
  [
    'withdrawal.created',
    'Withdrawal',
    'withdrawalId userId amount currency destinationType destinationRef',
  ],
  [
    'withdrawal.committed',
    'Withdrawal',
    'withdrawalId userId amount currency committedBalance availableBalance',
  ],
  ['withdrawal.pending', 'Withdrawal', 'withdrawalId userId providerPayoutId amount'],
  ['withdrawal.pending_user_action', 'Withdrawal', 'withdrawalId userId actionRequired actionUrl?'],
  [
    'withdrawal.completed',
    'Withdrawal',
    'withdrawalId userId amount currency completedAt providerPayoutId?',
  ],
  [
    'withdrawal.failed',
    'Withdrawal',
    'withdrawalId userId amount reason errorCode? providerPayoutId?',
  ],
  [
    'withdrawal.canceled',
    'Withdrawal',
    'withdrawalId userId amount canceledBy reason? refundedToBalance newAvailableBalance?',
  ],
];

const ours: [string, string, string][] = [
  ['webhook.paused', 'WebhookEndpoint', 'webhookEndpointId url cause reason pausedAt'],
  ['dispute.evidence_added', 'Dispute', 'disputeId orderId evidenceId party addedAt'],
  ['topup.reversed', 'TopUp', 'topupId userId amount currency'],
  ['topup.reinstated', 'TopUp', 'topupId userId amount currency'],
  ['withdrawal.returned', 'Withdrawal', 'withdrawalId userId amount currency returnedAt'],
  ['user.debt_opened', 'User', 'userId amount currency subjectId owed'],
  ['user.debt_repaid', 'User', 'userId amount currency subjectId owed'],
  ['user.debt_written_off', 'User', 'userId amount currency subjectId owed'],
  ['marketplace.stopped', 'Marketplace', 'marketplaceId level reason stoppedBy stoppedAt'],
  ['marketplace.stop_lifted', 'Marketplace', 'marketplaceId level reason liftedBy liftedAt'],
  ['marketplace.rewound', 'Marketplace', 'marketplaceId lostFrom openedAt'],
];

describe('the event catalogue', () => {
  it("has the specification's 42 events in its order, then ours, and no other", () => {
    expect(catalogue).toHaveLength(42);
    expect(EVENT_NAMES).toEqual([...catalogue, ...ours].map(([name]) => name));
  });

  it.each([...catalogue, ...ours])(
    '%s is about a %s and carries %s',
    (name, aggregateType, fields) => {
      const row = events[name as EventName];
      const required: readonly string[] = row.payload.required ?? [];
      const carried = Object.keys(row.payload.properties).map((field) =>
        required.includes(field) ? field : `${field}?`,
      );
      expect(carried.sort()).toEqual(fields.split(' ').sort());
      expect(row.aggregateType).toBe(aggregateType);
      expect(row.description).toMatch(/^[A-Z].*\.$/);
    },
  );

  it.each([
    ...[...catalogue, ...ours].map(([name, aggregateType]) => [name, aggregateType]),
    ['dispute.of_a_newer_build', 'Dispute'],
    ['parcel.sent', 'Parcel'],
  ])('%s is about a %s by its first word', (type, aggregateType) => {
    expect(aggregateTypeOf(type as string)).toBe(aggregateType);
  });

  it('knows its names from wildcards and other words', () => {
    expect(isEventName('order.created')).toBe(true);
    for (const word of ['order.*', '*', 'order', 'Order.created', 'constructor']) {
      expect(isEventName(word)).toBe(false);
    }
  });
});

describe('the payload of a hold', () => {
  const payload = Compile(events['balance.reserved'].payload);
  const good = {
    userId: 'usr_00000000000000000000000000',
    amount: '1.00',
    currency: 'USD',
    orderId: 'ord_00000000000000000000000000',
    previousReservedBalance: '0.00',
    newReservedBalance: '1.00',
    previousAvailableBalance: '1.00',
    newAvailableBalance: '0.00',
  };

  it.each([good.orderId, 'wd_00000000000000000000000000', null])(
    'may be held for %j',
    (orderId) => {
      expect(payload.Check({ ...good, orderId })).toBe(true);
    },
  );

  it.each(['usr_00000000000000000000000000', 'ord_1', '', undefined])(
    'may not be held for %j',
    (orderId) => {
      expect(payload.Check({ ...good, orderId })).toBe(false);
    },
  );

  it.each([{ amount: '1.0' }, { amount: 1 }, { currency: 'EUR' }, { more: 1 }])(
    'refuses %j',
    (fields) => expect(payload.Check({ ...good, ...fields })).toBe(false),
  );
});

describe('the envelope', () => {
  const envelope = Compile(eventEnvelope);
  const good = {
    eventId: 'evt_00000000000000000000000000',
    eventType: 'order.in_progress',
    occurredAt: '2026-03-01T12:00:00.000001Z',
    aggregateId: 'ord_00000000000000000000000000',
    aggregateType: 'Order',
    payload: {},
    metadata: { marketplaceId: 'mkt_00000000000000000000000000', more: 1 },
  };

  it('takes extra keys in metadata, and nowhere else', () => {
    expect(envelope.Check(good)).toBe(true);
    expect(envelope.Check({ ...good, more: 1 })).toBe(false);
  });

  it('requires times to the microsecond: they are the cursor', () => {
    expect(envelope.Check({ ...good, occurredAt: '2026-03-01T12:00:00.000Z' })).toBe(false);
  });
});
