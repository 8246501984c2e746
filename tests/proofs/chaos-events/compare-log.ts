//! Compares the log with the committed events: none lost, doubled, invented or out of order.
import type { IntendedEvent } from './intent.ts';
import type { Log, LogEvent } from './log.ts';

export interface LogFindings {
  /** Committed, but not in the log. */
  lost: number;
  /** In the log more than once. */
  doubled: number;
  /** In the log, but not committed. */
  invented: number;
  /** In the log of another marketplace, or with other content. */
  altered: number;
  /** Logged before an event that its writer had committed earlier. */
  outOfOrder: number;
  /** A missing position, or a time that is not later than the one before it. */
  broken: number;
  readonly examples: string[];
}

const EXAMPLES_MAX = 10;

/** `intended` is in the order in which the events of each line were committed. */
export function compareLog(log: Log, intended: readonly IntendedEvent[]): LogFindings {
  const found: LogFindings = {
    lost: 0,
    doubled: 0,
    invented: 0,
    altered: 0,
    outOfOrder: 0,
    broken: 0,
    examples: [],
  };
  const all = [...log.values()].flat();
  const byCorrelation = Map.groupBy(all, (event) => event.correlationId);
  /** The last position of a line in a marketplace. */
  const reached = new Map<string, number>();
  for (const intent of intended) {
    const own = intent.correlationIds.flatMap((id) => byCorrelation.get(id) ?? []);
    for (const id of intent.correlationIds) byCorrelation.delete(id);
    const [event] = own;
    if (event === undefined) {
      record(found, 'lost', `${intent.eventType} of ${intent.line}`);
      continue;
    }
    if (own.length > 1) record(found, 'doubled', `${event.eventId} of ${intent.line}`);
    if (own.some((each) => !isOf(each, intent))) record(found, 'altered', event.eventId);
    const writer = `${intent.line} ${event.marketplaceId}`;
    if (event.position <= (reached.get(writer) ?? 0)) record(found, 'outOfOrder', event.eventId);
    reached.set(writer, event.position);
  }
  for (const [event] of byCorrelation.values()) record(found, 'invented', event?.eventId ?? '');
  for (const events of log.values()) checkNumbers(found, events);
  return found;
}

function checkNumbers(found: LogFindings, events: readonly LogEvent[]): void {
  let last = '';
  for (const [index, { position, occurredAt, eventId }] of events.entries()) {
    if (position !== index + 1 || occurredAt <= last) record(found, 'broken', eventId);
    last = occurredAt;
  }
}

function isOf(event: LogEvent, intent: IntendedEvent): boolean {
  return (
    event.marketplaceId === intent.marketplaceId &&
    event.eventType === intent.eventType &&
    (intent.aggregateId ?? event.aggregateId) === event.aggregateId &&
    (intent.payload === undefined || sameJson(intent.payload, event.payload))
  );
}

function sameJson(one: string, other: string): boolean {
  return one === other || JSON.stringify(JSON.parse(one)) === JSON.stringify(JSON.parse(other));
}

function record(found: LogFindings, what: Exclude<keyof LogFindings, 'examples'>, which: string) {
  found[what] += 1;
  if (found.examples.length < EXAMPLES_MAX) found.examples.push(`log: ${what} ${which}`);
}
