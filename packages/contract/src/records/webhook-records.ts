//! The records of outbound webhooks, and the message of a test.
import { type Static, Type } from 'typebox';
import { WEBHOOK_KINDS, WEBHOOK_OUTCOMES, WEBHOOK_REPLAY_STATUSES } from '#enums';
import { EVENT_NAMES, type EventName } from '#events';
import { id, instant, nullable, oneOf, record } from '#fields';
import { statesOf } from '#machine';
import { webhookMachine } from '#machines/webhook-machine';

const count = () => Type.Integer({ minimum: 0 });
const words = () => nullable(Type.String());
const when = () => nullable(instant());

type FamilyOf<N extends string> = N extends `${infer F}.${string}` ? F : never;
/** An event type, all of a family (`order.*`), or all there are (`*`). */
export type EventPattern = '*' | `${FamilyOf<EventName>}.*` | EventName;

const families = [...new Set(EVENT_NAMES.map((name) => name.split('.')[0] as FamilyOf<EventName>))];
export const EVENT_PATTERNS: readonly EventPattern[] = [
  '*',
  ...families.map((family) => `${family}.*` as const),
  ...EVENT_NAMES,
];

/** The type of a test message. It is no event: it stands in no log, and no pattern names it. */
export const TEST_EVENT_TYPE = 'webhook.test';

const endpoint = {
  id: id('whe'),
  url: Type.String(),
  description: words(),
  types: Type.Array(oneOf(EVENT_PATTERNS)),
  status: oneOf(statesOf(webhookMachine)),
  /** Why it is paused, where it is. */
  pauseReason: words(),
  pausedAt: when(),
  /** Attempts that failed since the last one that did not, and since when. */
  failures: count(),
  failingSince: when(),
  nextTryAt: when(),
  lastDeliveredAt: when(),
  /** The last event that it is done with, as a cursor. */
  deliveredTo: words(),
  /** Events of the log behind that one, of any type. */
  backlog: count(),
  openReplays: count(),
  /** Until then the secret before the present one signs too. */
  oldSecretUntil: when(),
  createdAt: instant(),
  updatedAt: instant(),
};

export const WebhookEndpointView = record('WebhookEndpoint', endpoint);
export type WebhookEndpointView = Static<typeof WebhookEndpointView>;

/** The secret is returned once: a replay under an Idempotency-Key has the record without it. */
export const NewWebhookEndpointView = record('NewWebhookEndpoint', {
  ...endpoint,
  secret: Type.Optional(Type.String({ examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'] })),
});
export type NewWebhookEndpointView = Static<typeof NewWebhookEndpointView>;

const WebhookAttemptView = record('WebhookAttempt', {
  at: instant(),
  /** Null when no response came. */
  status: nullable(Type.Integer()),
  latencyMs: count(),
  /** The start of the response. */
  response: words(),
  /** Why it failed; null when it did not. */
  reason: words(),
});

export const WebhookDeliveryView = record('WebhookDelivery', {
  id: id('whd'),
  webhookEndpointId: id('whe'),
  kind: oneOf(WEBHOOK_KINDS),
  replayId: nullable(id('whr')),
  eventId: id('evt'),
  eventType: Type.String(),
  outcome: oneOf(WEBHOOK_OUTCOMES),
  /** All there were; the last few of them follow. */
  attemptCount: count(),
  attempts: Type.Array(WebhookAttemptView),
  createdAt: instant(),
  updatedAt: instant(),
});
export type WebhookDeliveryView = Static<typeof WebhookDeliveryView>;

export const WebhookReplayView = record('WebhookReplay', {
  id: id('whr'),
  webhookEndpointId: id('whe'),
  kind: oneOf(WEBHOOK_KINDS),
  status: oneOf(WEBHOOK_REPLAY_STATUSES),
  createdAt: instant(),
});
export type WebhookReplayView = Static<typeof WebhookReplayView>;
