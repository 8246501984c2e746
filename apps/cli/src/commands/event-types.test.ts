import { expect, test } from 'vitest';
import { readTypes } from './event-types.ts';

test('names and groups are taken, each once', () => {
  expect(readTypes('dispute.*,dispute.opened, order.released')).toEqual([
    'dispute.opened',
    'dispute.under_review',
    'dispute.resolved',
    'dispute.evidence_added',
    'order.released',
  ]);
  expect(readTypes(undefined)).toBeUndefined();
  expect(readTypes('*')).toBeUndefined();
});

test('a name that does not exist is refused', () => {
  expect(() => readTypes('dispute.reopened')).toThrow(/^unknown event type dispute\.reopened$/);
  expect(() => readTypes('nothing.*')).toThrow(/^unknown event type nothing\.\*$/);
});
