//! Measures how soon connected consumers received each event, and finds events that never came.
import type { Received } from './compare.ts';
import type { Visit } from './consumer.ts';
import type { LogEvent } from './log.ts';

export interface Deliveries {
  /** From the event's time in the log to a consumer that was connected by then. */
  readonly delaysMs: number[];
  /** Events that did not reach a consumer during this long a wait on one connection. */
  readonly stuck: string[];
}

const STUCK_MS = 2000;

export function deliveriesOf(
  transcript: readonly Received[],
  visits: readonly Visit[],
  expected: readonly LogEvent[],
): Deliveries {
  const byConnection = Map.groupBy(transcript, ({ connection }) => connection);
  const delaysMs: number[] = [];
  const stuck: string[] = [];
  for (const { connection, openedAt, endedAt, isCutByUs } of visits) {
    const received = byConnection.get(connection) ?? [];
    for (const { at, envelope } of received) {
      const happenedAt = Date.parse(envelope.occurredAt);
      if (happenedAt > openedAt) delaysMs.push(at - happenedAt);
    }
    if (!isCutByUs || endedAt - openedAt <= STUCK_MS) continue;
    const last = received.at(-1)?.envelope.occurredAt ?? '';
    const [from, until] = [textOf(openedAt + 1), textOf(endedAt - STUCK_MS)];
    const missed = expected.find(
      ({ occurredAt }) => occurredAt > from && occurredAt > last && occurredAt < until,
    );
    if (missed !== undefined) {
      const waitedMs = endedAt - Date.parse(missed.occurredAt);
      stuck.push(`stuck: ${missed.eventId} did not come in ${waitedMs} ms on ${connection}`);
    }
  }
  return { delaysMs, stuck };
}

function textOf(instant: number): string {
  return new Date(instant).toISOString();
}
