//! Holds the log against what was committed: nothing lost, doubled, invented or turned around.
import type { IntendedEvent } from './intent.ts';
import type { Log, LogEvent } from './log.ts';

export interface LogFindings {
  /** Committed, and not in the log. */
  lost: number;
  /** In the log more than once. */
  doubled: number;
  /** In the log, committed by nobody. */
  invented: number;
  /** In the log of another marketplace, or with other content. */
  altered: number;
  /** Before an event that its writer had committed earlier. */
  outOfOrder: number;
  /** A position left out, or a time that is not later than the one before it. */
  broken: number;
  readonly examples: string[];
}

const EXAMPLES_MAX = 10;

/** `intended` is in the order in which each line's events were committed. */
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
      tell(found, 'lost', `${intent.eventType} of ${intent.line}`);
      continue;
    }
    if (own.length > 1) tell(found, 'doubled', `${event.eventId} of ${intent.line}`);
    if (own.some((each) => !isOf(each, intent))) tell(found, 'altered', event.eventId);
    const place = `${intent.line} ${event.marketplaceId}`;
    if (event.position <= (reached.get(place) ?? 0)) tell(found, 'outOfOrder', event.eventId);
    reached.set(place, event.position);
  }
  for (const [event] of byCorrelation.values()) tell(found, 'invented', event?.eventId ?? '');
  for (const events of log.values()) checkNumbers(found, events);
  return found;
}

function checkNumbers(found: LogFindings, events: readonly LogEvent[]): void {
  let last = '';
  for (const [index, { position, occurredAt, eventId }] of events.entries()) {
    if (position !== index + 1 || occurredAt <= last) tell(found, 'broken', eventId);
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

function tell(found: LogFindings, what: Exclude<keyof LogFindings, 'examples'>, which: string) {
  found[what] += 1;
  if (found.examples.length < EXAMPLES_MAX) found.examples.push(`log: ${what} ${which}`);
}
