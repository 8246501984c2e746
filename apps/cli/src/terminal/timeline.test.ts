import { expect, test } from 'vitest';
import { PLAIN } from './style.ts';
import { type TimelineItem, timelineLines } from './timeline.ts';

const cause = { requestId: 'req-1', actorId: 'key_1' };
const items: readonly TimelineItem[] = [
  { at: '2026-11-15T12:00:00.000Z', kind: 'api_call', title: 'Reserved.', detail: {}, cause },
  {
    at: '2026-11-15T12:00:00.001Z',
    kind: 'posting',
    title: '100.00 USD: funds reserved for order',
    detail: {
      from: { kind: 'user', ownerId: 'usr_1', bucket: 'available' },
      to: { kind: 'user', ownerId: 'usr_1', bucket: 'reserved' },
    },
    cause,
  },
  {
    at: '2026-11-16T00:00:00.000Z',
    kind: 'ledger_transaction',
    title: 'Release order: release funds, transaction confirmed',
    detail: { hash: 'abc' },
    cause: { operationId: 'op_1' },
  },
];

test('prints a heading per day, each cause once, the path of money, and names for ids', () => {
  expect(timelineLines(items, PLAIN, { usr_1: 'buyer' })).toEqual([
    '  2026-11-15, UTC',
    '  12:00:00.000  call      Reserved.  ← key_1, request req-1',
    '  12:00:00.001  posting   100.00 USD: funds reserved for order  buyer → buyer (reserved)',
    '',
    '  2026-11-16, UTC',
    '  00:00:00.000  network   Release order: release funds, transaction confirmed  abc  ← op_1',
  ]);
});
