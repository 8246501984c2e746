import { expect, it } from 'vitest';
import { eventMatcher } from '#screens/events/matches.ts';

const event = {
  eventId: 'evt_1',
  eventType: 'order.released',
  aggregateType: 'Order',
  aggregateId: 'ord_1',
  payload: { orderId: 'ord_1', sellerId: 'usr_bo' },
} as const;

it('lets everything through without a filter', () => {
  expect(eventMatcher({})(event)).toBe(true);
});

it('finds an event by any id in it', () => {
  for (const about of ['evt_1', 'ord_1', 'usr_bo'])
    expect(eventMatcher({ about })(event)).toBe(true);
  expect(eventMatcher({ about: 'usr_b' })(event)).toBe(false);
});

it('matches an event only if the whole filter matches', () => {
  expect(eventMatcher({ type: 'order.released', resource: 'Order' })(event)).toBe(true);
  expect(eventMatcher({ type: 'order.released', resource: 'User' })(event)).toBe(false);
});
