//! Handlers of events: one function per type, the same for the stream and for webhooks.
import type { EventOf, EventType, HoldfastEvent, UnknownEvent } from '#event';

/** What a handler receives besides the event. */
export interface EventContext {
  /** Where the log continues after this event: store it with the effects, in one transaction. */
  readonly cursor: string;
  /** Ends when the consumer ends; undefined for a webhook. */
  readonly signal: AbortSignal | undefined;
}

type Handle<E> = (event: E, context: EventContext) => unknown;

/** A function per type, awaited. A type that does not exist does not compile. */
export type EventHandlers = {
  readonly [T in EventType]?: Handle<EventOf<T>> | undefined;
} & {
  /** Events without a function of their own, also of types that are newer than this SDK. */
  readonly other?: Handle<HoldfastEvent> | undefined;
};

/** The same, with a function for every type: a type that a later SDK knows does not compile. */
export type ExhaustiveEventHandlers = {
  readonly [T in EventType]: Handle<EventOf<T>>;
} & {
  /** Types that are newer than this SDK. */
  readonly other: Handle<UnknownEvent>;
};

/** Takes any event. Made of handlers, or your own function. */
export type TakeEvent = (event: HoldfastEvent, context?: EventContext) => Promise<void>;

export interface TakeOptions {
  /**
   * Which events were dealt with. In memory, the last 10,000, when absent; `false` leaves it to
   * you.
   */
  readonly seen?: SeenEvents | false | undefined;
}

/** Remembers the events that were dealt with. A durable one outlives the process. */
export interface SeenEvents {
  has(eventId: string): boolean | Promise<boolean>;
  add(eventId: string): void | Promise<void>;
}

const SEEN_MAX = 10_000;

/** Forgets the oldest beyond so many. */
export function seenInMemory(most = SEEN_MAX): SeenEvents {
  const ids = new Set<string>();
  return {
    has: (eventId) => ids.has(eventId),
    add(eventId) {
      ids.add(eventId);
      if (ids.size > most) for (const oldest of ids) return void ids.delete(oldest);
    },
  };
}

/**
 * One function out of many: it calls the one for the event's type, once per event, and ends when
 * that has ended. Give it to `events.consume` and to a webhook adapter alike.
 */
export function onEvents(handlers: EventHandlers, options: TakeOptions = {}): TakeEvent {
  const seen = options.seen === false ? undefined : (options.seen ?? seenInMemory());
  return async (event, context = { cursor: event.occurredAt, signal: undefined }) => {
    if (await seen?.has(event.eventId)) return;
    await handlerFor(handlers, event.eventType)?.(event, context);
    await seen?.add(event.eventId);
  };
}

/** Requires a handler for every type, at compile time only. */
export function exhaustive(handlers: ExhaustiveEventHandlers): EventHandlers {
  return handlers as EventHandlers;
}

function handlerFor(handlers: EventHandlers, type: string): Handle<HoldfastEvent> | undefined {
  const own = type !== 'other' && Object.hasOwn(handlers, type);
  const found = own ? handlers[type as EventType] : undefined;
  return (found ?? handlers.other) as Handle<HoldfastEvent> | undefined;
}

/**
 * In the `default` of a `switch (event.eventType)`: compiles only when every type that this SDK
 * knows has a case.
 */
export function unknownEvent(event: UnknownEvent): UnknownEvent {
  return event;
}
