//! The comparison of the log with what was committed finds what was planted.
import { newId } from '@holdfast/kernel/ids';
import { describe, expect, test } from 'vitest';
import { compareLog } from './compare-log.ts';
import type { IntendedEvent } from './intent.ts';
import type { LogEvent } from './log.ts';

const marketplaceId = newId('mkt');
const intended: readonly IntendedEvent[] = Array.from({ length: 4 }, (_, at) => ({
  marketplaceId,
  eventType: 'topup.processing',
  aggregateId: `topup-${at}`,
  payload: JSON.stringify({ topupId: `topup-${at}` }),
  correlationIds: [`first-${at}`, `second-${at}`],
  line: 'writer 1',
}));

/** The intended events of these places, in this order. */
function logOf(...places: readonly number[]): Map<string, LogEvent[]> {
  const events = places.map((place, at) => ({
    ...{ marketplaceId, position: at + 1, eventId: newId('evt') },
    occurredAt: `2026-03-01T12:00:00.00000${at}Z`,
    eventType: 'topup.processing' as const,
    aggregateId: `topup-${place}`,
    payload: JSON.stringify({ topupId: `topup-${place}` }),
    correlationId: `second-${place}`,
  }));
  return new Map([[marketplaceId, events]]);
}

function compare(log: Map<string, LogEvent[]>, intents = intended) {
  const { examples: _, ...found } = compareLog(log, intents);
  return Object.fromEntries(Object.entries(found).filter(([, count]) => count > 0));
}

describe('the log', () => {
  test('that holds every committed event once, in its order, is sound', () => {
    expect(compare(logOf(0, 1, 2, 3))).toEqual({});
  });

  test('that lost an event is found out', () => {
    expect(compare(logOf(0, 1, 3))).toEqual({ lost: 1 });
  });

  test('that holds an event twice is found out', () => {
    expect(compare(logOf(0, 1, 2, 2, 3))).toEqual({ doubled: 1 });
  });

  test('that holds what nobody committed is found out', () => {
    expect(compare(logOf(0, 1, 2, 3), intended.slice(0, 3))).toEqual({ invented: 1 });
  });

  test('that turned two transactions of a writer around is found out', () => {
    expect(compare(logOf(0, 2, 1, 3))).toEqual({ outOfOrder: 1 });
  });

  test('that left a position out, or a time twice, is found out', () => {
    const log = logOf(0, 1, 2, 3);
    const [first, second, third, fourth] = log.get(marketplaceId) as LogEvent[];
    const moved = { ...(fourth as LogEvent), position: 5 };
    const late = { ...(third as LogEvent), occurredAt: (second as LogEvent).occurredAt };
    log.set(marketplaceId, [first, second, late, moved] as LogEvent[]);
    expect(compare(log)).toEqual({ broken: 2 });
  });

  test('that changed a payload, or its owner, is found out', () => {
    const log = logOf(0, 1, 2, 3);
    const [first, second, ...rest] = log.get(marketplaceId) as [LogEvent, LogEvent, LogEvent];
    const other = { ...second, marketplaceId: newId('mkt') };
    log.set(marketplaceId, [{ ...first, payload: '{}' }, other, ...rest]);
    expect(compare(log)).toMatchObject({ altered: 2 });
  });
});
