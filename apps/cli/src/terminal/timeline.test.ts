import { expect, test } from 'vitest';
import { PLAIN } from './style.ts';
import { type StoryItem, storyLines } from './timeline.ts';

const cause = { requestId: 'req-1', actorId: 'key_1' };
const items: readonly StoryItem[] = [
  { at: '2026-11-15T12:00:00.000Z', kind: 'api_call', title: 'Reserved.', detail: {}, cause },
  {
    at: '2026-11-15T12:00:00.001Z',
    kind: 'posting',
    title: '100.00 USD: order hold',
    detail: {
      from: { kind: 'user', ownerId: 'usr_1', bucket: 'available' },
      to: { kind: 'user', ownerId: 'usr_1', bucket: 'reserved' },
    },
    cause,
  },
  {
    at: '2026-11-16T00:00:00.000Z',
    kind: 'ledger_transaction',
    title: 'release is APPLIED',
    detail: { hash: 'abc' },
    cause: { operationId: 'op_1' },
  },
];

test('days are heads, a cause is told once, money has its way, ids have their words', () => {
  expect(storyLines(items, PLAIN, { usr_1: 'buyer' })).toEqual([
    '  2026-11-15, UTC',
    '  12:00:00.000  call      Reserved.  ← key_1, request req-1',
    '  12:00:00.001  money     100.00 USD: order hold  buyer → buyer (reserved)',
    '',
    '  2026-11-16, UTC',
    '  00:00:00.000  network   release is APPLIED  abc  ← op_1',
  ]);
});
