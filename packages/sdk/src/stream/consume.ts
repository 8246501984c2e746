//! A durable consumer: every event at least once, in order, across crashes and restarts.
import type { Client } from '#client';
import type { HoldfastEvent } from '#event';
import { backoff, sleep } from '#platform';
import { type CursorStore, memoryCursorStore } from '#stream/cursor-store';
import {
  type StreamedEvent,
  type StreamOptions,
  type StreamReset,
  streamEvents,
} from '#stream/event-stream';
import { type EventHandlers, onEvents, type TakeEvent } from '#stream/handlers';

/** What to do with an event whose handler failed. */
export type AfterFailure = 'retry' | 'skip' | 'stop';

export interface ConsumeOptions extends StreamOptions {
  /** Stores the cursor. In memory when absent: a restart then starts at `from`. */
  readonly store?: CursorStore | undefined;
  /**
   * A handler failed, or the store did. `retry` (also when nothing is returned) handles the same
   * event again after a pause; `skip` continues with the next; `stop` ends the consumer with the
   * error. Without it an event is tried five times, and then the consumer stops: no event is passed
   * over, and no failure is silent.
   */
  readonly onError?:
    | ((error: unknown, event: HoldfastEvent, attempt: number) => AfterFailure | undefined)
    | ((error: unknown, event: HoldfastEvent, attempt: number) => void)
    | undefined;
}

const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 500;
const MOST_PAUSE_MS = 30_000;

/**
 * Runs until the signal is given; rejects with what another attempt cannot mend, such as a key that
 * is not valid any more. The cursor is saved after the handler has ended, so an event whose handler
 * was cut off comes again.
 */
export async function consumeEvents(
  client: Client,
  handlers: EventHandlers | TakeEvent,
  options: ConsumeOptions,
): Promise<void> {
  const { store = memoryCursorStore(), signal } = options;
  const take = typeof handlers === 'function' ? handlers : onEvents(handlers);
  const { onReset } = options;
  const saved = await store.load();
  const from = {
    ...options,
    from: saved ?? options.from,
    ...(onReset && {
      async onReset(reset: StreamReset) {
        await onReset(reset);
        await store.save(reset.retainedSince);
      },
    }),
  };
  // The first run saves its starting cursor, so that the second run knows it even after a crash.
  const isFirst = saved === undefined && options.from !== 'beginning';
  const onStart = isFirst ? (cursor: string) => store.save(cursor) : undefined;
  for await (const streamed of streamEvents(client, from, onStart)) {
    if (signal?.aborted) return;
    const isTaken = await takeAtLast(take, streamed, store, options);
    if (!isTaken) return; // Ended while it was being tried: it comes again at the next start.
  }
}

/** Handles, then saves; tries both until they are done. False when the signal came first. */
async function takeAtLast(
  take: TakeEvent,
  { event, cursor }: StreamedEvent,
  store: CursorStore,
  { signal, onError = untilTried }: ConsumeOptions,
): Promise<boolean> {
  let isTaken = false;
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (!isTaken) await take(event, { cursor, signal });
      isTaken = true;
      await store.save(cursor);
      return true;
    } catch (error) {
      const next = onError(error, event, attempt) ?? 'retry';
      if (next === 'stop') throw error;
      if (next === 'skip') isTaken = true;
      const pause = next === 'skip' ? 0 : backoff(attempt - 1, FIRST_PAUSE_MS, MOST_PAUSE_MS);
      await sleep(pause, signal).catch(() => undefined);
      if (signal?.aborted) return false;
    }
  }
}

function untilTried(_error: unknown, _event: HoldfastEvent, attempt: number): AfterFailure {
  return attempt < ATTEMPTS ? 'retry' : 'stop';
}
