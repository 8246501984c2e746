//! The inbox: notifications of providers, verified and stored to the byte, with their outcome.
import { Type } from 'typebox';
import { ownEndpoint } from '#endpoint';
import { NOTIFICATION_PROVIDERS, NOTIFICATION_STATUSES } from '#enums';
import { closed, createdBetween, id, listQuery, oneOf, text } from '#fields';
import { LENGTHS } from '#limits';
import { NotificationDetailView, NotificationView } from '#records/console-records';
import { ANY_ACTING } from '#roles';

const notification = closed({ id: id('inb') });

export const inboxEndpoints = {
  listNotifications: ownEndpoint('listNotifications', 'GET', '/inbox', {
    scope: 'read',
    master: true,
    platform: true,
    summary:
      'List provider notifications, newest first; with the master key those without a marketplace',
    query: listQuery('inb', {
      status: Type.Optional(oneOf(NOTIFICATION_STATUSES)),
      provider: Type.Optional(oneOf(NOTIFICATION_PROVIDERS)),
      resourceId: Type.Optional(text(LENGTHS.name)),
      ...createdBetween,
    }),
    success: { status: 200, data: NotificationView, list: true },
  }),
  getNotification: ownEndpoint('getNotification', 'GET', '/inbox/{id}', {
    scope: 'read',
    master: true,
    platform: true,
    summary:
      'Get a provider notification with its original body; personal data is masked for operators',
    params: notification,
    success: { status: 200, data: NotificationDetailView },
    errors: ['NOTIFICATION_NOT_FOUND'],
  }),
  rerunNotification: ownEndpoint('rerunNotification', 'POST', '/inbox/{id}/rerun', {
    scope: 'support',
    operators: ANY_ACTING,
    master: true,
    platform: true,
    idempotent: true,
    summary: 'Retry a pending or parked notification now',
    params: notification,
    body: closed({ reason: text(LENGTHS.reason) }),
    success: { status: 200, data: NotificationDetailView },
    errors: ['NOTIFICATION_NOT_FOUND', 'INVALID_STATE'],
  }),
};
