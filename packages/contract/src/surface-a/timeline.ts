//! The story of an order: all that happened to it and why, in one list.
import { Type } from 'typebox';
import { endpoint } from '#endpoint';
import { closed, id, pageLimit } from '#fields';
import { TimelineItemView } from '#order-records';

export const timelineEndpoints = {
  getOrderTimeline: endpoint('getOrderTimeline', 'GET', '/orders/{id}/timeline', {
    scope: 'read',
    orderFamily: true,
    origin: 'ours',
    summary: 'Tell the story of an order, oldest first: calls, moves, money, network, webhooks',
    params: closed({ id: id('ord') }),
    query: closed({
      limit: Type.Optional(pageLimit()),
      cursor: Type.Optional(
        Type.String({
          maxLength: 600,
          pattern: '^[A-Za-z0-9_-]+$',
          description: 'nextCursor of the page before.',
        }),
      ),
    }),
    success: { status: 200, data: TimelineItemView, list: true },
    errors: ['ORDER_NOT_FOUND'],
  }),
};
