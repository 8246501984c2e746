//! Tests the comparison of transcripts with the log: it finds planted faults.
import { newId } from '@holdfast/kernel/ids';
import { describe, expect, test } from 'vitest';
import { compareTranscript, type Received } from './compare.ts';
import type { LogEvent } from './log.ts';

const marketplaceId = newId('mkt', Date.now());
const log = Array.from({ length: 6 }, (_, at) => logEvent(at + 1));
const foreign = { ...logEvent(3), marketplaceId: newId('mkt', Date.now()) };
const ownerOf = (eventId: string) =>
  [...log, foreign].find((event) => event.eventId === eventId)?.marketplaceId;

function logEvent(position: number): LogEvent {
  const topupId = newId('topup', Date.now());
  return {
    marketplaceId,
    position,
    eventId: newId('evt', Date.now()),
    eventType: 'topup.processing',
    occurredAt: `2026-03-01T12:00:00.00000${position}Z`,
    aggregateId: topupId,
    payload: JSON.stringify({ topupId, providerPayinId: `writer-${position}` }),
    correlationId: `correlation-${position}`,
  };
}

function received(event: LogEvent, connection: number): Received {
  const { eventId, eventType, occurredAt, aggregateId, correlationId } = event;
  const envelope = {
    ...{ eventId, eventType, occurredAt, aggregateId },
    aggregateType: 'TopUp',
    payload: JSON.parse(event.payload) as unknown,
    metadata: { correlationId, marketplaceId: event.marketplaceId },
  };
  const message = { id: occurredAt, name: eventType, data: JSON.stringify(envelope) };
  return { connection, at: 0, message, envelope };
}

/** Positions, in the order received, connection by connection. */
function transcriptOf(...connections: readonly number[][]): Received[] {
  return connections.flatMap((positions, connection) =>
    positions.map((position) => received(log[position - 1] as LogEvent, connection)),
  );
}

function compare(transcript: readonly Received[]) {
  const { examples: _, ...found } = compareTranscript(transcript, {
    marketplaceId,
    expected: log,
    ownerOf,
  });
  return Object.fromEntries(Object.entries(found).filter(([, count]) => count > 0));
}

describe('comparison of a transcript that equals the log', () => {
  test('has no findings', () => {
    expect(compare(transcriptOf([1, 2, 3], [4, 5], [6]))).toEqual({});
  });

  test('allows repeats on another connection', () => {
    expect(compare(transcriptOf([1, 2, 3], [2, 3, 4], [1, 2, 3, 4, 5, 6]))).toEqual({ repeats: 6 });
  });
});

describe('comparison of a faulty transcript', () => {
  test('reports a missing event', () => {
    expect(compare(transcriptOf([1, 2, 4], [5, 6]))).toEqual({ missing: 1 });
  });

  test('reports that the last event is missing', () => {
    expect(compare(transcriptOf([1, 2, 3], [4, 5]))).toEqual({ missing: 1 });
  });

  test('reports an event that came twice on one connection', () => {
    expect(compare(transcriptOf([1, 2, 2, 3, 4, 5, 6]))).toEqual({ doubled: 1, repeats: 1 });
  });

  test('reports two events swapped on one connection', () => {
    expect(compare(transcriptOf([1, 3, 2, 4, 5, 6]))).toEqual({ outOfOrder: 1 });
  });

  test('reports two events swapped over two connections', () => {
    expect(compare(transcriptOf([1, 3], [2, 4, 5, 6]))).toEqual({ outOfOrder: 1 });
  });

  test('reports an event of another marketplace', () => {
    const transcript = transcriptOf([1, 2, 3], [4, 5, 6]);
    transcript.splice(2, 0, received(foreign, 0));
    expect(compare(transcript)).toMatchObject({ foreign: 1 });
  });

  test('reports an event that is in no log', () => {
    const transcript = transcriptOf([1, 2, 3, 4, 5, 6]);
    transcript.push(received(logEvent(7), 0));
    expect(compare(transcript)).toEqual({ strange: 1 });
  });

  test('reports an event of the own log that the consumer did not request', () => {
    const { examples: _, ...found } = compareTranscript(transcriptOf([1, 2, 3, 4, 5, 6]), {
      marketplaceId,
      expected: log.slice(0, 5),
      ownerOf,
    });
    expect(found).toMatchObject({ strange: 1, foreign: 0 });
  });

  test.each<[string, (original: Received) => Received]>([
    [
      'an id that is not its time',
      (original) => alter(original, { id: '2026-03-01T12:00:00.000001Z' }),
    ],
    ['another name', (original) => alter(original, { name: 'topup.failed' })],
    [
      'another payload',
      (original) => ({ ...original, envelope: { ...original.envelope, payload: {} } }),
    ],
    [
      'another aggregate',
      (original) => ({ ...original, envelope: { ...original.envelope, aggregateId: '' } }),
    ],
  ])('%s', (_, change) => {
    const transcript = transcriptOf([1], [2], [3], [4], [5], [6]);
    transcript[2] = change(transcript[2] as Received);
    expect(compare(transcript)).toEqual({ altered: 1 });
  });
});

function alter(original: Received, change: Partial<Received['message']>): Received {
  return { ...original, message: { ...original.message, ...change } };
}
