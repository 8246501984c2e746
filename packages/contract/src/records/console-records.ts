//! Records of the operator console that belong to no single resource: search, order detail, inbox,
//! request log, system, lab.
import { type Static, Type } from 'typebox';
import {
  DECISIONS,
  LAB_SAMPLES,
  NOTIFICATION_PROVIDERS,
  NOTIFICATION_STATUSES,
  SEARCH_FIELDS,
  SEARCH_TYPES,
  USER_STATUSES,
} from '#enums';
import { amount, currency, id, instant, nullable, oneOf, rate, record } from '#fields';
import { statesOf } from '#machine';
import { orderMachine } from '#machines/order-machine';
import { OrderView } from '#records/order-records';

const words = () => nullable(Type.String());
const when = () => nullable(instant());
const count = () => Type.Integer({ minimum: 0 });

export const SearchHitView = record('SearchHit', {
  type: oneOf(SEARCH_TYPES),
  id: Type.String(),
  title: Type.String(),
  /** Its state, where it has one. */
  status: words(),
  matchedBy: oneOf(SEARCH_FIELDS),
  /** The text that matched; personal data is masked. */
  matched: Type.String(),
  /** What to open: itself, or what it is part of, such as the order of a contract. */
  goTo: record('SearchTarget', { type: oneOf(SEARCH_TYPES), id: Type.String() }),
  createdAt: when(),
});
export type SearchHitView = Static<typeof SearchHitView>;

export const SearchView = record('SearchResult', {
  query: Type.String(),
  /** Exact matches first, then matches of the start, the newest first. */
  hits: Type.Array(SearchHitView),
});
export type SearchView = Static<typeof SearchView>;

export const OrderPartyView = record('OrderParty', {
  userId: id('usr'),
  externalUserId: Type.String(),
  /** Masked for operators. */
  email: words(),
  status: oneOf(USER_STATUSES),
  ledgerAddress: words(),
  hasPaymentAccount: Type.Boolean(),
});
export type OrderPartyView = Static<typeof OrderPartyView>;

/** Where an order's money is now and where it went, from the journal. */
export const OrderMoneyView = record('OrderMoney', {
  currency: currency(),
  amount: amount(),
  /** Set aside with the buyer. */
  reserved: amount(),
  /** All that ever went into escrow and stayed there until it was settled. */
  escrowed: amount(),
  /** To the seller, less the fee. */
  released: amount(),
  refunded: amount(),
  fee: amount(),
  /** Still in escrow: escrowed, less the three above. */
  remainder: amount(),
});
export type OrderMoneyView = Static<typeof OrderMoneyView>;

export const OrderContractView = record('OrderContract', {
  escrowId: id('esc'),
  contractId: words(),
  deployHash: words(),
  feeRate: rate(),
  roles: record('ContractRoles', {
    buyer: Type.String(),
    seller: Type.String(),
    platform: Type.String(),
    resolver: Type.String(),
  }),
});
export type OrderContractView = Static<typeof OrderContractView>;

export const OrderDetailView = record('OrderDetail', {
  order: OrderView,
  money: OrderMoneyView,
  parties: record('OrderParties', { buyer: OrderPartyView, seller: OrderPartyView }),
  /** The one that is not archived. */
  contract: nullable(OrderContractView),
  /** What is being done with it at this moment. */
  openOperationId: nullable(id('op')),
});
export type OrderDetailView = Static<typeof OrderDetailView>;

export const DisputeNoteView = record('DisputeNote', {
  id: id('note'),
  disputeId: id('dsp'),
  text: Type.String(),
  writtenBy: Type.String(),
  createdAt: instant(),
});
export type DisputeNoteView = Static<typeof DisputeNoteView>;

/** What a decision would do, to the cent. */
export const ResolutionPreviewView = record('ResolutionPreview', {
  decision: oneOf(DECISIONS),
  currency: currency(),
  /** What lies in escrow. */
  amount: amount(),
  releaseAmount: amount(),
  refundAmount: amount(),
  fee: amount(),
  sellerReceives: amount(),
  buyerReceives: amount(),
});
export type ResolutionPreviewView = Static<typeof ResolutionPreviewView>;

const notification = {
  id: id('inb'),
  provider: oneOf(NOTIFICATION_PROVIDERS),
  /** The provider's own id of it. */
  providerEventId: Type.String(),
  type: Type.String(),
  status: oneOf(NOTIFICATION_STATUSES),
  /** Why it waits or was parked. */
  reason: words(),
  resourceId: words(),
  attempts: count(),
  /** How often the same id came with another body; the first one counts. */
  contradictions: count(),
  requestId: Type.String(),
  receivedAt: instant(),
  appliedAt: when(),
  nextTryAt: when(),
};

export const NotificationView = record('ProviderNotification', notification);
export type NotificationView = Static<typeof NotificationView>;

export const NotificationDetailView = record('ProviderNotificationDetail', {
  ...notification,
  /** As it came, to the byte; for operators with personal data masked. */
  body: Type.String(),
});
export type NotificationDetailView = Static<typeof NotificationDetailView>;

export const LoggedRequestView = record('LoggedRequest', {
  id: id('req'),
  at: instant(),
  method: Type.String(),
  /** As the contract writes it, such as /users/{id}. */
  route: Type.String(),
  path: Type.String(),
  status: Type.Integer(),
  latencyMs: Type.Integer({ minimum: 0 }),
  /** The API key, or the operator. */
  actorId: Type.String(),
  requestId: Type.String(),
  idempotencyKey: words(),
  isReplay: Type.Boolean(),
  errorCode: words(),
  /** Where the request came from. */
  address: words(),
  userAgent: words(),
});
export type LoggedRequestView = Static<typeof LoggedRequestView>;

/** What is known of an Idempotency-Key at one route. */
export const IdempotencyKeyView = record('IdempotencyKey', {
  key: Type.String(),
  method: Type.String(),
  path: Type.String(),
  actorId: Type.String(),
  firstSeenAt: instant(),
  lastSeenAt: instant(),
  requests: count(),
  replays: count(),
  /** The stored response that a retry gets; null without one, or past retention. */
  stored: nullable(
    record('StoredResponse', {
      /** Null for postings: their response is rebuilt from the journal. */
      status: nullable(Type.Integer()),
      requestHash: Type.String(),
      storedAt: instant(),
      entryId: words(),
      refusal: words(),
    }),
  ),
  lastStatus: Type.Integer(),
  requestIds: Type.Array(Type.String()),
});
export type IdempotencyKeyView = Static<typeof IdempotencyKeyView>;

export const SystemView = record('System', {
  version: Type.String(),
  environment: Type.String(),
  cell: Type.String(),
  /** Name of the newest migration. */
  migration: Type.String(),
  takenAt: instant(),
  uptimeSeconds: count(),
  dependencies: Type.Array(
    record('Dependency', {
      name: Type.String(),
      status: oneOf(['ok', 'down', 'off']),
      latencyMs: nullable(Type.Number()),
    }),
  ),
  /** What waits, of this marketplace. */
  queues: Type.Array(
    record('Queue', {
      name: Type.String(),
      description: Type.String(),
      waiting: count(),
      /** Counting stops there: so many or more. */
      isCapped: Type.Boolean(),
      oldestAt: when(),
      lagSeconds: nullable(count()),
    }),
  ),
  requestLog: record('RequestLogState', { written: count(), dropped: count(), waiting: count() }),
  events: record('EventLogState', { position: Type.String(), lastAt: when() }),
  /** Where the host of the deployment has its dashboards. */
  dashboardUrl: nullable(Type.String()),
});
export type SystemView = Static<typeof SystemView>;

export const LabView = record('Lab', {
  now: instant(),
  offsetSeconds: Type.Integer(),
  faults: Type.Array(
    record('LabFault', {
      provider: Type.String(),
      operation: Type.String(),
      kind: Type.String(),
      times: Type.Integer(),
    }),
  ),
  /** The kinds of faults that can be set. */
  kinds: Type.Array(record('LabFaultKind', { kind: Type.String(), description: Type.String() })),
  operations: Type.Array(
    record('LabFaultPlace', { provider: Type.String(), operation: Type.String() }),
  ),
  scenarios: Type.Array(
    record('LabScenarioLine', { name: Type.String(), description: Type.String() }),
  ),
  samples: Type.Array(record('LabSampleLine', { name: Type.String(), description: Type.String() })),
});
export type LabView = Static<typeof LabView>;

export const LabSeedView = record('LabSeed', {
  sample: oneOf(LAB_SAMPLES),
  /** Every order that the call started, as it was when the call returned. */
  orders: Type.Array(
    record('SeededOrder', {
      id: id('ord'),
      status: oneOf(statesOf(orderMachine)),
      disputeId: nullable(id('dsp')),
      /** Null when its sample ran to the end; otherwise why the order stopped here. */
      stoppedBy: words(),
    }),
  ),
});
export type LabSeedView = Static<typeof LabSeedView>;
