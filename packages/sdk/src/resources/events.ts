//! Events: the log as a list, as a stream, and as a durable consumer.
import type { CallOptions } from '#call';
import type { HoldfastEvent } from '#event';
import { EventsCalls } from '#generated/events';
import { type ConsumeOptions, consumeEvents } from '#stream/consume';
import {
  cursorOf,
  type StreamedEvent,
  type StreamOptions,
  streamEvents,
} from '#stream/event-stream';
import { type EventHandlers, onEvents, type TakeEvent, type TakeOptions } from '#stream/handlers';

/** The event log: streamed, pulled, consumed with a durable cursor. */
export class Events extends EventsCalls {
  /**
   * Handles every event, in order and at least once, for as long as the program runs. Reconnects by
   * itself; `store` keeps the cursor, so that a restart continues where the last run ended.
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
   * itself and continues after the last event; ends with its signal, or when the loop is left.
   */
  async *stream(options: StreamOptions = {}): AsyncGenerator<HoldfastEvent, void, undefined> {
    for await (const { event } of streamEvents(this.client, options)) yield event;
  }

  /** The same with the cursor of each event, for callers that store it by other means. */
  streamWithCursor(options: StreamOptions = {}): AsyncGenerator<StreamedEvent, void, undefined> {
    return streamEvents(this.client, options);
  }

  /**
   * The current cursor, by the service's own clock. A consumer that starts with now saves this
   * cursor first: events before its first received one are then not missed.
   */
  now(options: CallOptions = {}): Promise<string> {
    return cursorOf(this.client, 'now', options.signal);
  }

  /**
   * Combines handlers per type into one function, for `consume` and for webhooks alike. It handles
   * an event once, even when the event arrives both ways.
   */
  handler(handlers: EventHandlers, options: TakeOptions = {}): TakeEvent {
    return onEvents(handlers, options);
  }
}
