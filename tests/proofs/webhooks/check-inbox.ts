//! Checks that an endpoint got all of its log in order, and nothing else.
import type { LogEvent } from '../../harness/api.ts';
import type { Inbox } from './receivers.ts';

export interface Expected {
  readonly name: string;
  readonly marketplaceId: string;
  readonly events: readonly LogEvent[];
}

export function checkInbox({ name, marketplaceId, events }: Expected, inbox: Inbox): string[] {
  const wrong = inbox.wrong.map((each) => `${name}: ${each}`);
  const foreign = inbox.arrivals.filter((each) => each.marketplaceId !== marketplaceId);
  if (foreign.length > 0) wrong.push(`${name}: ${foreign.length} events of another marketplace`);
  const known = new Set(events.map(({ eventId }) => eventId));
  const missing = events.filter(({ eventId }) => !inbox.firsts.has(eventId));
  if (missing.length > 0) wrong.push(`${name}: ${missing.length} of ${events.length} never came`);
  const strange = [...inbox.firsts].filter((eventId) => !known.has(eventId));
  if (strange.length > 0) wrong.push(`${name}: ${strange.length} events are not in its log`);
  const order = events.filter(({ eventId }) => inbox.firsts.has(eventId));
  const firsts = [...inbox.firsts].filter((eventId) => known.has(eventId));
  const swapped = firsts.findIndex((eventId, at) => eventId !== order[at]?.eventId);
  if (swapped >= 0) wrong.push(`${name}: out of order from arrival ${swapped + 1} on`);
  return wrong;
}

/** Milliseconds from the time of an event to its first arrival, sorted. */
export function lagsOf({ events }: Expected, { arrivals }: Inbox): number[] {
  const firstAt = new Map<string, number>();
  for (const { eventId, at } of arrivals) if (!firstAt.has(eventId)) firstAt.set(eventId, at);
  return events
    .flatMap(({ eventId, occurredAt }) => {
      const at = firstAt.get(eventId);
      return at === undefined ? [] : [at - Date.parse(occurredAt)];
    })
    .sort((a, b) => a - b);
}
