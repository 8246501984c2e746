//! Events: the log as a list, as a stream, and as a durable consumer.
import type { CallOptions } from '#call';
import { type ConsumeOptions, consumeEvents } from '#consume';
import type { HoldfastEvent } from '#event';
import { cursorOf, type StreamedEvent, type StreamOptions, streamEvents } from '#event-stream';
import { EventsCalls } from '#generated/events';
import { type EventHandlers, onEvents, type TakeEvent, type TakeOptions } from '#handlers';

/** The event log: streamed, pulled, consumed with a durable cursor. */
export class Events extends EventsCalls {
  /**
   * Deals with every event, in order and at least once, for as long as the program runs. Reconnects
   * by itself; `store` keeps the cursor, so that a restart goes on where the last run ended.
   *
   * ```ts
   * await holdfast.events.consume(
   *   { 'order.released': async (event) => notify(event.payload.sellerId) },
   *   { store: fileCursorStore('cursor'), signal },
   * );
   * ```
   */
  consume(handlers: EventHandlers | TakeEvent, options: ConsumeOptions = {}): Promise<void> {
    return consumeEvents(this.client, handlers, options);
  }

  /**
   * The events as they happen: `for await (const event of holdfast.events.stream())`. Reconnects by
   * itself and goes on behind the last event; ends with its signal, or when the loop is left.
   */
  async *stream(options: StreamOptions = {}): AsyncGenerator<HoldfastEvent, void, undefined> {
    for await (const { event } of streamEvents(this.client, options)) yield event;
  }

  /** The same with the cursor behind each event, for whoever keeps it by other means. */
  streamWithCursor(options: StreamOptions = {}): AsyncGenerator<StreamedEvent, void, undefined> {
    return streamEvents(this.client, options);
  }

  /**
   * The cursor of this moment, by the service's own clock. Whoever begins with now and keeps a
   * cursor keeps this one first: what happens before the first event arrives is then not missed.
   */
  now(options: CallOptions = {}): Promise<string> {
    return cursorOf(this.client, 'now', options.signal);
  }

  /**
   * One function out of handlers per type, for `consume` and for webhooks alike: the same handlers
   * at two doors. It deals with an event once, whichever door it came through.
   */
  handler(handlers: EventHandlers, options: TakeOptions = {}): TakeEvent {
    return onEvents(handlers, options);
  }
}
