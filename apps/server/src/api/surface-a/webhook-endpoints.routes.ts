//! Routes of outbound webhooks: endpoints, their secrets, their deliveries.
import { surfaceA } from '@holdfast/contract/surface-a';
import type { App } from '../../app/wire.ts';
import { createWebhookEndpoint } from '../../webhooks/outgoing/create-webhook-endpoint.ts';
import { createWebhookTest } from '../../webhooks/outgoing/create-webhook-test.ts';
import {
  pauseWebhookEndpoint,
  resumeWebhookEndpoint,
} from '../../webhooks/outgoing/pause-webhook-endpoint.ts';
import {
  getWebhookEndpoint,
  listWebhookDeliveries,
  listWebhookEndpoints,
} from '../../webhooks/outgoing/read-webhook-endpoints.ts';
import { removeWebhookEndpoint } from '../../webhooks/outgoing/remove-webhook-endpoint.ts';
import { replayEvents } from '../../webhooks/outgoing/replay-events.ts';
import { rotateWebhookSecret } from '../../webhooks/outgoing/rotate-webhook-secret.ts';
import { updateWebhookEndpoint } from '../../webhooks/outgoing/update-webhook-endpoint.ts';
import type { Surface } from '../http/serve.ts';
import {
  newWebhookEndpointView,
  webhookDeliveryView,
  webhookEndpointView,
  webhookReplayView,
} from './views/webhook-endpoint.view.ts';

export function webhookEndpointRoutes(surface: Surface, app: App): void {
  surface.serve(surfaceA.createWebhookEndpoint, {
    run: (call, { body }) => createWebhookEndpoint(app, call, body),
    respond: (created) => ({ data: newWebhookEndpointView(created) }),
    storedData: ({ endpoint }) => webhookEndpointView(endpoint),
  });
  surface.serveList(surfaceA.listWebhookEndpoints, {
    run: (call, { query }) => listWebhookEndpoints(app, call, query),
    item: webhookEndpointView,
  });
  surface.serve(surfaceA.getWebhookEndpoint, {
    run: (call, { params }) => getWebhookEndpoint(app, call, params.webhookEndpointId),
    respond: (endpoint) => ({ data: webhookEndpointView(endpoint) }),
  });
  surface.serve(surfaceA.updateWebhookEndpoint, {
    run: (call, { params, body }) =>
      updateWebhookEndpoint(app, call, params.webhookEndpointId, body),
    respond: (endpoint) => ({ data: webhookEndpointView(endpoint) }),
  });
  surface.serve(surfaceA.deleteWebhookEndpoint, {
    run: (call, { params }) => removeWebhookEndpoint(app, call, params.webhookEndpointId),
    respond: (endpoint) => ({ data: webhookEndpointView(endpoint) }),
  });
  surface.serve(surfaceA.rotateWebhookSecret, {
    run: (call, { params, body }) =>
      rotateWebhookSecret(app, call, params.webhookEndpointId, body ?? {}),
    respond: (rotated) => ({ data: newWebhookEndpointView(rotated) }),
    storedData: ({ endpoint }) => webhookEndpointView(endpoint),
  });
  surface.serve(surfaceA.pauseWebhookEndpoint, {
    run: (call, { params, body }) =>
      pauseWebhookEndpoint(app, call, params.webhookEndpointId, body ?? {}),
    respond: (endpoint) => ({ data: webhookEndpointView(endpoint) }),
  });
  surface.serve(surfaceA.resumeWebhookEndpoint, {
    run: (call, { params }) => resumeWebhookEndpoint(app, call, params.webhookEndpointId),
    respond: (endpoint) => ({ data: webhookEndpointView(endpoint) }),
  });
  surface.serve(surfaceA.testWebhookEndpoint, {
    run: (call, { params }) => createWebhookTest(app, call, params.webhookEndpointId),
    respond: (test) => ({ data: webhookReplayView(test) }),
  });
  surface.serve(surfaceA.replayWebhookEvents, {
    run: (call, { params, body }) => replayEvents(app, call, params.webhookEndpointId, body),
    respond: (replay) => ({ data: webhookReplayView(replay) }),
  });
  surface.serveList(surfaceA.listWebhookDeliveries, {
    run: (call, { params, query }) =>
      listWebhookDeliveries(app, call, params.webhookEndpointId, query),
    item: webhookDeliveryView,
  });
}
