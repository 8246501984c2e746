//! The records of an order, its escrow, its milestones and its disputes.
import { type Static, Type } from 'typebox';
import {
  CLOSE_REASONS,
  CONTRACT_TYPES,
  DECISIONS,
  DISPUTE_PARTIES,
  DISPUTE_REASONS,
  TIMELINE_KINDS,
} from '#enums';
import {
  amount,
  currency,
  id,
  instant,
  metadata,
  nullable,
  oneOf,
  openObject,
  rate,
  record,
} from '#fields';
import { ORDER_ACTION_NAMES } from '#lifecycle';
import { statesOf } from '#machine';
import { disputeMachine } from '#machines/dispute-machine';
import { SHOWN_ESCROW_STATES } from '#machines/escrow-machine';
import { milestoneMachine } from '#machines/milestone-machine';
import { orderMachine } from '#machines/order-machine';

const words = () => nullable(Type.String());
const when = () => nullable(instant());

export const MilestoneView = record('Milestone', {
  id: id('mil'),
  ref: Type.String(),
  title: Type.String(),
  amount: amount(),
  status: oneOf(statesOf(milestoneMachine)),
  completedAt: when(),
});
export type MilestoneView = Static<typeof MilestoneView>;

export const EscrowView = record('Escrow', {
  id: id('esc'),
  providerContractId: words(),
  status: oneOf(SHOWN_ESCROW_STATES),
  amount: amount(),
  terms: nullable(record('EscrowTerms', { milestones_required: Type.Literal(true) })),
  contractType: oneOf(CONTRACT_TYPES),
  createdAt: instant(),
  fundedAt: when(),
  releasedAt: when(),
  refundedAt: when(),
});
export type EscrowView = Static<typeof EscrowView>;

const dispute = {
  id: id('dsp'),
  orderId: id('ord'),
  openedBy: oneOf(DISPUTE_PARTIES),
  reason: oneOf(DISPUTE_REASONS),
  evidence: nullable(Type.Array(Type.String())),
  status: oneOf(statesOf(disputeMachine)),
  assignedTo: words(),
  resolutionDecision: nullable(oneOf(DECISIONS)),
  decisionNote: words(),
  releaseAmount: nullable(amount()),
  refundAmount: nullable(amount()),
  resolvedBy: words(),
  resolvedAt: when(),
  createdAt: instant(),
  updatedAt: instant(),
};

export const DisputeView = record('Dispute', dispute);
export type DisputeView = Static<typeof DisputeView>;

/** A dispute in a list: with what it is about. */
export const ListedDisputeView = record('ListedDispute', {
  ...dispute,
  orderTitle: Type.String(),
  /** What lies in escrow until it is decided. */
  amount: amount(),
  currency: currency(),
});
export type ListedDisputeView = Static<typeof ListedDisputeView>;

/**
 * A statement of one side since the opening. The opener's own evidence is in the dispute itself.
 */
export const DisputeEvidenceView = record('DisputeEvidence', {
  id: id('evd'),
  disputeId: id('dsp'),
  party: oneOf(DISPUTE_PARTIES),
  statement: words(),
  /** Addresses or texts, as those of the opening call. */
  evidence: Type.Array(Type.String()),
  addedBy: Type.String(),
  createdAt: instant(),
});
export type DisputeEvidenceView = Static<typeof DisputeEvidenceView>;

export const AllowedActionView = record('AllowedAction', {
  action: oneOf(ORDER_ACTION_NAMES),
  allowed: Type.Boolean(),
  /** Null when allowed. */
  reason: words(),
});
export type AllowedActionView = Static<typeof AllowedActionView>;

export const OrderView = record('Order', {
  id: id('ord'),
  status: oneOf(statesOf(orderMachine)),
  amount: amount(),
  currency: currency(),
  buyerId: id('usr'),
  sellerId: id('usr'),
  title: Type.String(),
  description: words(),
  clientOrderRef: words(),
  metadata: metadata(),
  fee: amount(),
  feeRate: rate(),
  closeReason: nullable(oneOf(CLOSE_REASONS)),
  escrow: nullable(EscrowView),
  dispute: nullable(DisputeView),
  milestones: Type.Array(MilestoneView),
  allowedActions: Type.Array(AllowedActionView),
  createdAt: instant(),
  updatedAt: instant(),
});
export type OrderView = Static<typeof OrderView>;

/** A dispute as its opener gets it: with the whole order. */
export const OpenedDisputeView = record('OpenedDispute', { ...dispute, order: OrderView });
export type OpenedDisputeView = Static<typeof OpenedDisputeView>;

/** One thing that happened to an order, and why. */
export const TimelineItemView = record('TimelineItem', {
  at: instant(),
  kind: oneOf(TIMELINE_KINDS),
  title: Type.String(),
  detail: openObject('More facts; new fields may be added.'),
  cause: record('TimelineCause', {
    requestId: Type.Optional(Type.String()),
    operationId: Type.Optional(id('op')),
    actorId: Type.Optional(Type.String()),
    /** The provider's own id of the event. */
    webhookId: Type.Optional(Type.String()),
  }),
});
export type TimelineItemView = Static<typeof TimelineItemView>;
