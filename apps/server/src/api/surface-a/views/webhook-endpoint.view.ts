//! Response views of webhook endpoints and their deliveries. A secret is returned once.
import type {
  NewWebhookEndpointView,
  WebhookDeliveryView,
  WebhookEndpointView,
  WebhookReplayView,
} from '@holdfast/contract/records/webhook-records';
import { instantText } from '@holdfast/kernel/clock';
import type { SecretEndpoint } from '../../../webhooks/outgoing/create-webhook-endpoint.ts';
import type { listWebhookDeliveries } from '../../../webhooks/outgoing/read-webhook-endpoints.ts';
import type { Replay } from '../../../webhooks/outgoing/replay-events.ts';

type Endpoint = SecretEndpoint['endpoint'];
type Delivery = Awaited<ReturnType<typeof listWebhookDeliveries>>['items'][number];

export function webhookEndpointView(endpoint: Endpoint): WebhookEndpointView {
  return {
    id: endpoint.id,
    url: endpoint.url,
    description: endpoint.description,
    types: [...endpoint.types],
    status: endpoint.status,
    pauseReason: endpoint.pauseReason,
    pausedAt: instantText(endpoint.pausedAt),
    failures: endpoint.failures,
    failingSince: instantText(endpoint.failingSince),
    nextTryAt: instantText(endpoint.nextTryAt),
    lastDeliveredAt: instantText(endpoint.lastDeliveredAt),
    deliveredTo: endpoint.deliveredTo,
    backlog: endpoint.backlog,
    openReplays: endpoint.openReplays,
    oldSecretUntil: instantText(endpoint.oldSecretUntil),
    createdAt: instantText(endpoint.createdAt),
    updatedAt: instantText(endpoint.updatedAt),
  };
}

export function newWebhookEndpointView(created: SecretEndpoint): NewWebhookEndpointView {
  return { ...webhookEndpointView(created.endpoint), secret: created.secret };
}

export function webhookDeliveryView(delivery: Delivery): WebhookDeliveryView {
  return {
    id: delivery.id,
    webhookEndpointId: delivery.endpointId,
    kind: delivery.kind,
    replayId: delivery.replayId,
    eventId: delivery.eventId,
    eventType: delivery.eventType,
    outcome: delivery.outcome,
    attemptCount: delivery.attemptCount,
    attempts: delivery.attempts.map((attempt) => ({ ...attempt })),
    createdAt: instantText(delivery.createdAt),
    updatedAt: instantText(delivery.updatedAt),
  };
}

export function webhookReplayView(replay: Replay): WebhookReplayView {
  const { id, endpointId: webhookEndpointId, kind, status, createdAt } = replay;
  return { id, webhookEndpointId, kind, status, createdAt: instantText(createdAt) };
}
