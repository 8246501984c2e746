//! The event stream as an endless iterator: connects, goes on after every interruption, and tells
//! where it is.
import type { Client } from '#client';
import { HoldfastError, type HoldfastFailure, isHoldfastError } from '#errors';
import type { EventType, HoldfastEvent } from '#event';
import { endpoints } from '#generated/endpoints';
import type { AggregateType } from '#generated/words';
import { backoff, now, sleep } from '#platform';
import { type SseMessage, SseParser } from '#sse';

/** What lies between the cursor and `keptSince` is not kept any more. */
export interface StreamReset {
  readonly keptSince: string;
  /** The cursor that was too old. */
  readonly cursor: string | undefined;
}

/** Which events, from where. */
export interface StreamOptions {
  /**
   * Where to begin: `now`, the `beginning` of what is kept, or behind a cursor: the `occurredAt` or
   * the id of an event, or any time. `now` when absent.
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
   * The cursor is older than what is kept: read the resources that you mirror anew. The stream goes
   * on from `keptSince` once it has ended. Without it such a cursor is an error, `CURSOR_EXPIRED`:
   * a gap is not passed over in silence.
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

/** The service sends a ping every 30 seconds; two that are missing mean that nobody is there. */
const SILENCE_MS_MAX = 75_000;
const CONNECT_MS_MAX = 20_000;
const FIRST_PAUSE_MS = 250;
const MOST_PAUSE_MS = 15_000;
const BEGINNING = '1970-01-01T00:00:00Z';

/**
 * Ends when the signal is given; throws what another attempt cannot mend. `begun` is told the
 * cursor that it began with, before the first event.
 */
export async function* streamEvents(
  client: Client,
  options: StreamOptions,
  begun?: (cursor: string) => unknown,
): AsyncGenerator<StreamedEvent, void, undefined> {
  const { from = 'now', signal } = options;
  const place: Place = { cursor: undefined, last: '', isStart: from === 'beginning' };
  for (let failures = 0; !signal?.aborted; ) {
    const connection = new AbortController();
    const stop = () => connection.abort();
    signal?.addEventListener('abort', stop, { once: true });
    let retryMs: number | undefined;
    let fault: HoldfastFailure | undefined;
    try {
      if (place.cursor === undefined) {
        place.cursor = await cursorOf(client, from, signal);
        await begun?.(place.cursor);
      }
      const messages = await connect(client, options, place.cursor, connection.signal);
      options.onConnect?.();
      for await (const message of messages) {
        failures = 0;
        retryMs = message.retryMs ?? retryMs;
        if (message.event === 'stream.reset') await reset(message, place, options);
        const streamed = eventOf(message);
        // Times of one form compare as text; what stands at or before the last came before.
        if (streamed === undefined || streamed.cursor <= place.last) continue;
        yield streamed;
        Object.assign(place, { cursor: streamed.cursor, last: streamed.cursor, isStart: false });
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
 * The cursor that a beginning means. From now on is from the service's now, as told once: also when
 * the first connection is lost, or the program ends, before the first event.
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

interface Place {
  /** Undefined until it is known where the beginning is. */
  cursor: string | undefined;
  /** Of the last event that was given; empty before the first. */
  last: string;
  /** Everything that is kept was asked for: what is not kept is not missed. */
  isStart: boolean;
}

async function reset(message: SseMessage, place: Place, options: StreamOptions): Promise<void> {
  const { keptSince } = JSON.parse(message.data) as { keptSince: string };
  if (!place.isStart) {
    if (options.onReset === undefined) throw expired(place.cursor, keptSince);
    await options.onReset({ keptSince, cursor: place.cursor });
  }
  place.cursor = keptSince;
}

function expired(cursor: string | undefined, keptSince: string): HoldfastError<'CURSOR_EXPIRED'> {
  return new HoldfastError('CURSOR_EXPIRED', {
    message: `Events after ${cursor} are gone: everything is kept since ${keptSince}. Read the resources anew and go on from there; onReset is the place for it.`,
    details: { keptSince },
    status: 410,
  });
}

/** What another attempt with the same request will not mend. */
function isFinal(error: HoldfastFailure): boolean {
  if (error.status === undefined || error.code === 'UNREADABLE_ANSWER') return false;
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
      message: `The event stream broke off: ${reason}`,
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
    const quiet = () => reject(new Error(`nothing came for ${SILENCE_MS_MAX / 1000} seconds`));
    timer = setTimeout(quiet, SILENCE_MS_MAX);
  });
  try {
    return await Promise.race([reading, silence]);
  } finally {
    clearTimeout(timer);
  }
}
