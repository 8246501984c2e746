//! An event: one envelope, whose `eventType` determines the type of its payload.
import type { EVENT_AGGREGATES, EventPayloads } from '#generated/event-types';
import type { EventId, Instant, MarketplaceId, UserId } from '#generated/words';

/** A type of event that this version of the SDK knows. */
export type EventType = keyof EventPayloads;

/**
 * Stands for every type that is newer than this version of the SDK. At run time it is that type's
 * own name; to the compiler it is one name, so that `switch` can separate it from the known ones.
 */
export type UnknownEventType = '(newer than this SDK)';

interface Envelope<T extends string, A extends string, P> {
  /** Names one event for ever: remember it, and dealing with it twice does no harm. */
  readonly eventId: EventId;
  readonly eventType: T;
  /** Microseconds, strictly increasing in a marketplace: the cursor of the log. */
  readonly occurredAt: Instant;
  /** The id of what it is about. */
  readonly aggregateId: string;
  readonly aggregateType: A;
  readonly payload: P;
  readonly metadata: {
    /** The X-Request-ID of the call that made the change. */
    readonly correlationId?: string;
    /** The operation or the provider's notification that made it; absent where the call did. */
    readonly causationId?: string;
    /** The user that it is about; absent where it is about two, as an order is, or about none. */
    readonly userId?: UserId;
    readonly marketplaceId?: MarketplaceId;
  };
}

/** The event of one type. */
export type EventOf<T extends EventType> = {
  [N in T]: Envelope<N, (typeof EVENT_AGGREGATES)[N], EventPayloads[N]>;
}[T];

/** An event whose type this version of the SDK does not know. */
export type UnknownEvent = Envelope<UnknownEventType, string, Readonly<Record<string, unknown>>>;

/**
 * Any event. `switch (event.eventType)` narrows the payload; what is left in `default` after all
 * cases is an `UnknownEvent`: the list grows, and an older SDK meets newer events.
 */
export type HoldfastEvent = EventOf<EventType> | UnknownEvent;
