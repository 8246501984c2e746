//! Tests the comparison of the log with the committed events: it finds planted faults.
import { newId } from '@holdfast/kernel/ids';
import { describe, expect, test } from 'vitest';
import { compareLog } from './compare-log.ts';
import type { IntendedEvent } from './intent.ts';
import type { LogEvent } from './log.ts';

const marketplaceId = newId('mkt', Date.now());
const intended: readonly IntendedEvent[] = Array.from({ length: 4 }, (_, at) => ({
  marketplaceId,
  eventType: 'topup.processing',
  aggregateId: `topup-${at}`,
  payload: JSON.stringify({ topupId: `topup-${at}` }),
  correlationIds: [`first-${at}`, `second-${at}`],
  line: 'writer 1',
}));

/** The intended events at these positions, in this order. */
function logOf(...positions: readonly number[]): Map<string, LogEvent[]> {
  const events = positions.map((position, at) => ({
    ...{ marketplaceId, position: at + 1, eventId: newId('evt', Date.now()) },
    occurredAt: `2026-03-01T12:00:00.00000${at}Z`,
    eventType: 'topup.processing' as const,
    aggregateId: `topup-${position}`,
    payload: JSON.stringify({ topupId: `topup-${position}` }),
    correlationId: `second-${position}`,
  }));
  return new Map([[marketplaceId, events]]);
}

function compare(log: Map<string, LogEvent[]>, intents = intended) {
  const { examples: _, ...found } = compareLog(log, intents);
  return Object.fromEntries(Object.entries(found).filter(([, count]) => count > 0));
}

describe('compareLog', () => {
  test('accepts a log with every committed event once, in its order', () => {
    expect(compare(logOf(0, 1, 2, 3))).toEqual({});
  });

  test('reports a lost event', () => {
    expect(compare(logOf(0, 1, 3))).toEqual({ lost: 1 });
  });

  test('reports an event that is in the log twice', () => {
    expect(compare(logOf(0, 1, 2, 2, 3))).toEqual({ doubled: 1 });
  });

  test('reports an event that was not committed', () => {
    expect(compare(logOf(0, 1, 2, 3), intended.slice(0, 3))).toEqual({ invented: 1 });
  });

  test('reports two swapped transactions of a writer', () => {
    expect(compare(logOf(0, 2, 1, 3))).toEqual({ outOfOrder: 1 });
  });

  test('reports a missing position and a repeated time', () => {
    const log = logOf(0, 1, 2, 3);
    const [first, second, third, fourth] = log.get(marketplaceId) as LogEvent[];
    const moved = { ...(fourth as LogEvent), position: 5 };
    const late = { ...(third as LogEvent), occurredAt: (second as LogEvent).occurredAt };
    log.set(marketplaceId, [first, second, late, moved] as LogEvent[]);
    expect(compare(log)).toEqual({ broken: 2 });
  });

  test('reports a changed payload or owner', () => {
    const log = logOf(0, 1, 2, 3);
    const [first, second, ...rest] = log.get(marketplaceId) as [LogEvent, LogEvent, LogEvent];
    const other = { ...second, marketplaceId: newId('mkt', Date.now()) };
    log.set(marketplaceId, [{ ...first, payload: '{}' }, other, ...rest]);
    expect(compare(log)).toMatchObject({ altered: 2 });
  });
});
