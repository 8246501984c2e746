//! The timeline of an order: everything that happened to it, each item with its cause.
import { Type } from 'typebox';
import { ownEndpoint } from '#endpoint';
import { closed, id, pageLimit } from '#fields';
import { TimelineItemView } from '#records/order-records';

export const timelineEndpoints = {
  getOrderTimeline: ownEndpoint('getOrderTimeline', 'GET', '/orders/{id}/timeline', {
    scope: 'read',
    summary:
      'Get the timeline of an order, oldest first: calls, transitions, money, network, webhooks',
    params: closed({ id: id('ord') }),
    query: closed({
      limit: Type.Optional(pageLimit()),
      cursor: Type.Optional(
        Type.String({
          maxLength: 600,
          pattern: '^[A-Za-z0-9_-]+$',
          description: 'nextCursor of the previous page.',
        }),
      ),
    }),
    success: { status: 200, data: TimelineItemView, list: true },
    errors: ['ORDER_NOT_FOUND'],
  }),
};
