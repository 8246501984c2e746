//! The event stream, the audit log, and the webhooks of the two providers.

import { Type } from 'typebox';
import { AUDIT_ACTIONS, AUDIT_RESOURCE_TYPES } from '#audit-actions';
import { endpoint, ownEndpoint } from '#endpoint';
import { AGGREGATE_TYPES, AUDIT_RESULTS } from '#enums';
import { DEBT_REPAYMENT, EVENT_NAMES, eventEnvelope } from '#events';
import {
  closed,
  createdBetween,
  id,
  instantInput,
  listQuery,
  oneOf,
  openObject,
  pageLimit,
  record,
  text,
} from '#fields';
import { LENGTHS } from '#limits';
import { AuditEntryView } from '#records';
import { EVERY_ROLE } from '#roles';

const acknowledged = record('Acknowledgement', {
  status: oneOf(['ok']),
  processed: Type.Optional(Type.Boolean()),
  duplicate: Type.Optional(Type.Boolean()),
});

// A repeated parameter is a list; the server makes a list of a single one too.
const whichEvents = {
  types: Type.Optional(Type.Array(oneOf(EVENT_NAMES))),
  resources: Type.Optional(Type.Array(oneOf(AGGREGATE_TYPES))),
};

export const eventEndpoints = {
  streamEvents: endpoint('streamEvents', 'GET', '/events', {
    scope: 'any',
    operators: EVERY_ROLE,
    master: true,
    summary: 'Stream events as they happen, after replaying those since a cursor',
    query: closed({
      ...whichEvents,
      since: Type.Optional(instantInput()),
      marketplaceId: Type.Optional(id('mkt')),
    }),
    headers: closed({
      'last-event-id': Type.Optional(
        Type.String({
          description:
            'A cursor: the id of a message, or an event id. Takes precedence over since.',
        }),
      ),
    }),
    success: { status: 200, data: eventEnvelope },
    errors: ['MARKETPLACE_NOT_FOUND'],
    rawResponse: 'event-stream',
  }),
  receivePaymentWebhook: endpoint('receivePaymentWebhook', 'POST', '/webhooks/payment-provider', {
    scope: 'signature',
    worksDuringRecovery: true,
    summary: 'Receive a signed notification about a pay-in or payout',
    headers: closed({
      'svix-id': Type.String({ description: 'The id of the message.' }),
      'svix-timestamp': Type.String({ description: 'When it was signed, in Unix seconds.' }),
      'svix-signature': Type.String({
        description:
          'v1, and the base64 HMAC-SHA256 of id, timestamp and raw body. May hold several.',
      }),
    }),
    body: openObject(
      'eventId, eventType, occurredAt and data: id, code, amount, currency, status, reasonCode, ' +
        'reasonDescription. Other fields are ignored.',
    ),
    success: { status: 200, data: acknowledged },
    errors: ['WEBHOOK_SIGNATURE_INVALID'],
    emits: [
      'topup.processing',
      'topup.succeeded',
      'topup.failed',
      'topup.canceled',
      'withdrawal.pending',
      'withdrawal.pending_user_action',
      'withdrawal.completed',
      'withdrawal.failed',
      'withdrawal.canceled',
      'balance.credited',
      'balance.debited',
      'balance.released',
      'user.debt_opened',
      'user.debt_repaid',
    ],
    rawResponse: 'json',
  }),
  receiveEscrowWebhook: endpoint('receiveEscrowWebhook', 'POST', '/webhooks/escrow-provider', {
    scope: 'signature',
    worksDuringRecovery: true,
    summary:
      'Receive a notification about a contract; an unsigned one only triggers a check of the network',
    headers: closed({
      'x-escrow-signature': Type.Optional(
        Type.String({ description: 'Hex HMAC-SHA256 of the raw body.' }),
      ),
    }),
    body: openObject(
      'type, event_id and data: contract_id, order_id, status, amount, currency, buyer_address, ' +
        'seller_address, transaction_hash, milestone_ref, created_at, updated_at.',
    ),
    success: { status: 200, data: acknowledged },
    errors: ['WEBHOOK_SIGNATURE_INVALID'],
    emits: [
      'escrow.created',
      'order.escrow_funding',
      'escrow.funded',
      'order.escrow_funded',
      'order.in_progress',
      'escrow.milestone_completed',
      'escrow.released',
      'order.released',
      'escrow.refunded',
      'order.refunded',
      'dispute.resolved',
      'order.closed',
      'balance.credited',
      ...DEBT_REPAYMENT,
    ],
    rawResponse: 'json',
  }),
  listAuditLogs: endpoint('listAuditLogs', 'GET', '/audit/logs', {
    scope: 'read',
    master: true,
    platform: true,
    summary:
      'List audit records of the marketplace, newest first; without a marketplace those of the platform',
    query: listQuery('aud', {
      action: Type.Optional(oneOf(AUDIT_ACTIONS)),
      resourceType: Type.Optional(oneOf(AUDIT_RESOURCE_TYPES)),
      resourceId: Type.Optional(text(LENGTHS.reference)),
      actorId: Type.Optional(text(LENGTHS.reference)),
      result: Type.Optional(oneOf(AUDIT_RESULTS)),
      ...createdBetween,
    }),
    success: { status: 200, data: AuditEntryView, list: true },
  }),
};

/** Beyond the specification. */
export const pullEndpoints = {
  listEventLog: ownEndpoint('listEventLog', 'GET', '/events/log', {
    scope: 'any',
    operators: EVERY_ROLE,
    summary: 'List events after a cursor, oldest first',
    query: closed({
      limit: Type.Optional(pageLimit()),
      after: Type.Optional(
        Type.String({
          maxLength: 60,
          description: 'A cursor: the occurredAt of an event, an event id, or nextCursor.',
        }),
      ),
      ...whichEvents,
    }),
    success: { status: 200, data: eventEnvelope, list: true },
    errors: ['CURSOR_EXPIRED'],
  }),
};
