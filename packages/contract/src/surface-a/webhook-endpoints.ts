//! Outbound webhooks: endpoints that the event log is pushed to, signed, in order, at least once.
import { Type } from 'typebox';
import { ownEndpoint } from '#endpoint';
import { WEBHOOK_OUTCOMES } from '#enums';
import { closed, id, listQuery, nullable, oneOf, optionalBody, seconds, text } from '#fields';
import { LENGTHS, SECRET_OVERLAP_SECONDS } from '#limits';
import { statesOf } from '#machine';
import { webhookMachine } from '#machines/webhook-machine';
import {
  EVENT_PATTERNS,
  NewWebhookEndpointView,
  WebhookDeliveryView,
  WebhookEndpointView,
  WebhookReplayView,
} from '#records/webhook-records';
import { ADMIN, ANY_ACTING } from '#roles';

const ALL = '/webhook-endpoints';
const ONE = '/webhook-endpoints/{webhookEndpointId}';
const params = closed({ webhookEndpointId: id('whe') });
const url = () => text(LENGTHS.url);
const description = () => nullable(text(LENGTHS.description));
const types = () => Type.Array(oneOf(EVENT_PATTERNS), { minItems: 1, uniqueItems: true });
const changes = { scope: 'write', operators: ADMIN, idempotent: true } as const;
/** Sends an endpoint events that it has or may have received already: nothing else changes. */
const sends = { ...changes, operators: ANY_ACTING } as const;
const shown = { status: 200, data: WebhookEndpointView } as const;

export const webhookEndpoints = {
  createWebhookEndpoint: ownEndpoint('createWebhookEndpoint', 'POST', ALL, {
    ...changes,
    summary: 'Create a webhook endpoint for new events; its secret is shown once',
    body: closed({
      url: url(),
      description: Type.Optional(description()),
      types: Type.Optional(types()),
    }),
    success: { status: 201, data: NewWebhookEndpointView },
    errors: ['WEBHOOK_URL_REFUSED', 'WEBHOOK_LIMIT'],
  }),
  listWebhookEndpoints: ownEndpoint('listWebhookEndpoints', 'GET', ALL, {
    scope: 'read',
    summary: 'List webhook endpoints, newest first; disabled ones only on request',
    query: listQuery('whe', { status: Type.Optional(oneOf(statesOf(webhookMachine))) }),
    success: { ...shown, list: true },
  }),
  getWebhookEndpoint: ownEndpoint('getWebhookEndpoint', 'GET', ONE, {
    scope: 'read',
    summary: 'Get a webhook endpoint with its last delivered event and delivery health',
    params,
    success: shown,
    errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  }),
  updateWebhookEndpoint: ownEndpoint('updateWebhookEndpoint', 'PATCH', ONE, {
    ...changes,
    summary: 'Update URL, types or description; omitted fields stay unchanged',
    params,
    body: closed({
      url: Type.Optional(url()),
      description: Type.Optional(description()),
      types: Type.Optional(types()),
    }),
    success: shown,
    errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'INVALID_STATE', 'WEBHOOK_URL_REFUSED'],
  }),
  deleteWebhookEndpoint: ownEndpoint('deleteWebhookEndpoint', 'DELETE', ONE, {
    ...changes,
    summary: 'Disable an endpoint permanently; its deliveries can still be read',
    params,
    bodyRead: 'none',
    success: shown,
    errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  }),
  rotateWebhookSecret: ownEndpoint('rotateWebhookSecret', 'POST', `${ONE}/rotate-secret`, {
    ...changes,
    summary: 'Rotate the secret of an endpoint; the old one stays valid until the overlap ends',
    params,
    body: optionalBody({
      overlapSeconds: Type.Optional(seconds(0, SECRET_OVERLAP_SECONDS.maximum)),
    }),
    success: { status: 200, data: NewWebhookEndpointView },
    errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'INVALID_STATE'],
  }),
  pauseWebhookEndpoint: ownEndpoint('pauseWebhookEndpoint', 'POST', `${ONE}/pause`, {
    ...changes,
    summary: 'Pause an endpoint until it is resumed; its events are kept',
    params,
    body: optionalBody({ reason: Type.Optional(text(LENGTHS.reason)) }),
    success: shown,
    errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'INVALID_STATE'],
    emits: ['webhook.paused'],
  }),
  resumeWebhookEndpoint: ownEndpoint('resumeWebhookEndpoint', 'POST', `${ONE}/resume`, {
    ...changes,
    summary: 'Resume an endpoint after the last delivered event',
    params,
    bodyRead: 'none',
    success: shown,
    errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'INVALID_STATE'],
  }),
  testWebhookEndpoint: ownEndpoint('testWebhookEndpoint', 'POST', `${ONE}/test`, {
    ...sends,
    summary: 'Send a signed test message of type webhook.test, also while paused',
    params,
    bodyRead: 'none',
    success: { status: 201, data: WebhookReplayView },
    errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'INVALID_STATE', 'WEBHOOK_LIMIT'],
  }),
  replayWebhookEvents: ownEndpoint('replayWebhookEvents', 'POST', `${ONE}/replay`, {
    ...sends,
    summary: 'Resend one event, or all delivered events after a cursor',
    params,
    body: closed({
      eventId: Type.Optional(id('evt')),
      since: Type.Optional(
        Type.String({
          maxLength: 60,
          description: 'A cursor: a time, the occurredAt of an event, or an event id.',
        }),
      ),
    }),
    success: { status: 201, data: WebhookReplayView },
    errors: [
      'WEBHOOK_ENDPOINT_NOT_FOUND',
      'EVENT_NOT_FOUND',
      'CURSOR_EXPIRED',
      'INVALID_STATE',
      'WEBHOOK_LIMIT',
    ],
  }),
  listWebhookDeliveries: ownEndpoint('listWebhookDeliveries', 'GET', `${ONE}/deliveries`, {
    scope: 'read',
    summary: 'List the deliveries of an endpoint, newest first, with their attempts',
    params,
    query: listQuery('whd', {
      outcome: Type.Optional(oneOf(WEBHOOK_OUTCOMES)),
      eventId: Type.Optional(id('evt')),
      replayId: Type.Optional(id('whr')),
    }),
    success: { status: 200, data: WebhookDeliveryView, list: true },
    errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  }),
};
