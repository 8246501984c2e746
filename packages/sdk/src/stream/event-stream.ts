//! The event stream as an endless iterator: it reconnects after every interruption and gives the
//! cursor of each event.
import type { Client } from '#client';
import { HoldfastError, type HoldfastFailure, isHoldfastError } from '#errors';
import type { EventType, HoldfastEvent } from '#event';
import { endpoints } from '#generated/endpoints';
import type { AggregateType } from '#generated/words';
import { backoff, now, sleep } from '#platform';
import { type SseMessage, SseParser } from '#stream/sse';

/** What lies between the cursor and `retainedSince` is not kept any more. */
export interface StreamReset {
  readonly retainedSince: string;
  /** The cursor that was too old. */
  readonly cursor: string | undefined;
}

/** Which events, from where. */
export interface StreamOptions {
  /**
   * Where to start: `now`, the `beginning` of the retained log, or after a cursor: the `occurredAt`
   * or the id of an event, or any time. `now` when absent.
   */
  readonly from?: 'now' | 'beginning' | (string & {}) | Date | undefined;
  /** Only these types. */
  readonly types?: readonly EventType[] | undefined;
  /** Only what is about these. */
  readonly resources?: readonly AggregateType[] | undefined;
  /** Needed with the master key, and only then. */
  readonly marketplaceId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * Called when the cursor is past retention: read the resources that you mirror again. The stream
   * continues from `retainedSince` once the callback has ended. Without a callback such a cursor is
   * the error `CURSOR_EXPIRED`, so that no gap passes unnoticed.
   */
  readonly onReset?: ((reset: StreamReset) => unknown) | undefined;
  /** Connected, also anew. */
  readonly onConnect?: (() => void) | undefined;
  /** The connection ended, by this error or without one; the next attempt is in `retryInMs`. */
  readonly onDisconnect?:
    | ((error: HoldfastFailure | undefined, retryInMs: number) => void)
    | undefined;
}

/** An event, and the cursor behind it. */
export interface StreamedEvent {
  readonly event: HoldfastEvent;
  readonly cursor: string;
  /** The event as it came, byte for byte: what a webhook endpoint would be sent and is signed. */
  readonly text: string;
}

/**
 * The service sends a ping every 30 seconds; two missing pings mean that the connection is dead.
 */
const SILENCE_MS_MAX = 75_000;
const CONNECT_MS_MAX = 20_000;
const FIRST_PAUSE_MS = 250;
const MOST_PAUSE_MS = 15_000;
const BEGINNING = '1970-01-01T00:00:00Z';

/**
 * Ends when the signal is given; throws an error that another attempt cannot mend. `onStart`
 * receives the starting cursor before the first event.
 */
export async function* streamEvents(
  client: Client,
  options: StreamOptions,
  onStart?: (cursor: string) => unknown,
): AsyncGenerator<StreamedEvent, void, undefined> {
  const { from = 'now', signal } = options;
  const position: StreamPosition = { cursor: undefined, last: '', isStart: from === 'beginning' };
  for (let failures = 0; !signal?.aborted; ) {
    const connection = new AbortController();
    const stop = () => connection.abort();
    signal?.addEventListener('abort', stop, { once: true });
    let retryMs: number | undefined;
    let fault: HoldfastFailure | undefined;
    try {
      if (position.cursor === undefined) {
        position.cursor = await cursorOf(client, from, signal);
        await onStart?.(position.cursor);
      }
      const messages = await connect(client, options, position.cursor, connection.signal);
      options.onConnect?.();
      for await (const message of messages) {
        failures = 0;
        retryMs = message.retryMs ?? retryMs;
        if (message.event === 'stream.reset') await reset(message, position, options);
        const streamed = eventOf(message);
        // Times of one form compare as text; what stands at or before the last came before.
        if (streamed === undefined || streamed.cursor <= position.last) continue;
        yield streamed;
        Object.assign(position, { cursor: streamed.cursor, last: streamed.cursor, isStart: false });
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (!isHoldfastError(error) || isFinal(error)) throw error;
      fault = error;
      retryMs = error.retryAfterMs;
    } finally {
      signal?.removeEventListener('abort', stop);
      connection.abort();
    }
    const pause = retryMs ?? backoff(failures, FIRST_PAUSE_MS, MOST_PAUSE_MS);
    failures += 1;
    options.onDisconnect?.(fault, pause);
    await sleep(pause, signal).catch(() => undefined);
  }
}

/** One connection, behind a cursor; the loop of `streamEvents` is what tries again. */
async function connect(
  client: Client,
  { types, resources, marketplaceId }: StreamOptions,
  cursor: string,
  signal: AbortSignal,
): Promise<AsyncGenerator<SseMessage, void, undefined>> {
  const query = { types, resources, marketplaceId };
  const headers = { accept: 'text/event-stream', 'last-event-id': cursor };
  const how = { signal, headers, timeoutMs: CONNECT_MS_MAX, maxRetries: 0 };
  return messagesOf(await client.open(endpoints.streamEvents, { query }, how));
}

/**
 * The cursor for a starting point. `now` is the service's time, read once. It holds also when the
 * first connection is lost, or the program ends, before the first event.
 */
export async function cursorOf(
  client: Client,
  from: NonNullable<StreamOptions['from']>,
  signal: AbortSignal | undefined,
): Promise<string> {
  if (from instanceof Date) return from.toISOString();
  if (from === 'beginning') return BEGINNING;
  if (from !== 'now') return from;
  const time = await client.serverTime(endpoints.getHealth, { signal });
  return time ?? new Date(now()).toISOString();
}

interface StreamPosition {
  /** Undefined until it is known where the beginning is. */
  cursor: string | undefined;
  /** Of the last event that was given; empty before the first. */
  last: string;
  /** The whole retained log was requested: events past retention are not missed. */
  isStart: boolean;
}

async function reset(
  message: SseMessage,
  position: StreamPosition,
  options: StreamOptions,
): Promise<void> {
  const { retainedSince } = JSON.parse(message.data) as { retainedSince: string };
  if (!position.isStart) {
    if (options.onReset === undefined) throw expired(position.cursor, retainedSince);
    await options.onReset({ retainedSince, cursor: position.cursor });
  }
  position.cursor = retainedSince;
}

function expired(
  cursor: string | undefined,
  retainedSince: string,
): HoldfastError<'CURSOR_EXPIRED'> {
  return new HoldfastError('CURSOR_EXPIRED', {
    message: `Cursor ${cursor} is older than the retention period; events are available since ${retainedSince}. Handle this in onReset: reload the affected resources, then continue.`,
    details: { retainedSince },
    status: 410,
  });
}

/** What another attempt with the same request will not mend. */
function isFinal(error: HoldfastFailure): boolean {
  if (error.status === undefined || error.code === 'UNREADABLE_RESPONSE') return false;
  return error.retry === 'never' || error.retry === 'after-fixing';
}

function eventOf({ id, data }: SseMessage): StreamedEvent | undefined {
  if (id === undefined || data === '') return undefined;
  return { event: JSON.parse(data) as HoldfastEvent, cursor: id, text: data };
}

/** The messages of one connection, until it ends or falls silent. */
async function* messagesOf(response: Response): AsyncGenerator<SseMessage, void, undefined> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  const parser = new SseParser();
  try {
    for (;;) {
      const { done, value } = await withinSilence(reader.read());
      if (done) return;
      yield* parser.push(value);
    }
  } catch (cause) {
    if (isHoldfastError(cause)) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new HoldfastError('CONNECTION_FAILED', {
      message: `The event stream was interrupted: ${reason}`,
      details: { reason },
      isOutcomeKnown: true,
      cause,
    });
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function withinSilence<T>(reading: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    const quiet = () => reject(new Error(`no data for ${SILENCE_MS_MAX / 1000} seconds`));
    timer = setTimeout(quiet, SILENCE_MS_MAX);
  });
  try {
    return await Promise.race([reading, silence]);
  } finally {
    clearTimeout(timer);
  }
}
