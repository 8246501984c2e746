//! Which events a filter lets through.
import type { HoldfastEvent } from '@holdfast/sdk';

export interface EventFilter {
  readonly type?: string | undefined;
  readonly resource?: string | undefined;
  /** Any id: what the event is about, its own, or one in its payload. */
  readonly about?: string | undefined;
}

type EventFacts = Pick<HoldfastEvent, 'eventId' | 'eventType' | 'aggregateType' | 'aggregateId'> & {
  readonly payload: unknown;
};

export function eventMatcher({
  type,
  resource,
  about,
}: EventFilter): (event: EventFacts) => boolean {
  return (event) =>
    (type === undefined || event.eventType === type) &&
    (resource === undefined || event.aggregateType === resource) &&
    (about === undefined || isAbout(event, about));
}

function isAbout({ eventId, aggregateId, payload }: EventFacts, id: string): boolean {
  if (eventId === id || aggregateId === id) return true;
  return Object.values((payload ?? {}) as Record<string, unknown>).includes(id);
}
