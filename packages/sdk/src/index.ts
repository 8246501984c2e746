//! The client of Holdfast: orders in escrow, balances, events.
import { Client, type HoldfastOptions } from '#client';
import { Resources } from '#generated/resources';

/**
 * A client of one service, with one key.
 *
 * ```ts
 * const holdfast = new Holdfast(); // HOLDFAST_API_KEY and HOLDFAST_URL
 * const order = await holdfast.orders.create({
 *   buyerId,
 *   sellerId,
 *   amount: '100.00',
 *   title: 'A logo',
 * });
 * await holdfast.orders.checkout(order.id);
 * await holdfast.orders.release(order.id);
 * ```
 */
export class Holdfast extends Resources {
  /** Where the service is. */
  readonly baseUrl: string;
  readonly #options: HoldfastOptions;

  constructor(options: HoldfastOptions = {}) {
    const client = new Client(options);
    super(client);
    this.baseUrl = client.baseUrl;
    this.#options = options;
  }

  /** The same client with other options, such as another key. */
  with(options: HoldfastOptions): Holdfast {
    return new Holdfast({ ...this.#options, ...options });
  }
}

export type { OutgoingRequest } from '#attempt';
export {
  type ApiResponse,
  Call,
  type CallOptions,
  DecisionCall,
  type KeyedCallOptions,
  type Outcome,
  type Result,
} from '#call';
export type { AttemptReport, HoldfastOptions } from '#client';
export {
  type ClientErrorDetails,
  type DetailsOf,
  type ErrorCode,
  HoldfastError,
  type HoldfastFailure,
  isHoldfastError,
  type UnknownErrorCode,
} from '#errors';
export type { EventOf, EventType, HoldfastEvent, UnknownEvent, UnknownEventType } from '#event';
export { type ErrorDetails, RETRY_RULES, type RetryRule } from '#generated/error-codes';
export { EVENT_AGGREGATES, type EventPayloads } from '#generated/event-types';
export type * from '#generated/resources';
export type * from '#generated/words';
export { List, type Page } from '#list';
export type { HoldfastSession } from '#session';
export type { AfterFailure, ConsumeOptions } from '#stream/consume';
export { type CursorStore, memoryCursorStore } from '#stream/cursor-store';
export type { StreamedEvent, StreamOptions, StreamReset } from '#stream/event-stream';
export {
  type EventContext,
  type EventHandlers,
  type ExhaustiveEventHandlers,
  exhaustive,
  onEvents,
  type SeenEvents,
  seenInMemory,
  type TakeEvent,
  type TakeOptions,
  unknownEvent,
} from '#stream/handlers';
export type { WaitOptions } from '#wait';
