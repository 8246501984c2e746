//! Follows the event log and hands each event to a handler, in order, until it is taken; then
//! writes down how far it has come. Whatever is cut off in between comes again.
import type { Clock } from '@holdfast/kernel/clock';
import type { EventType, Holdfast, HoldfastEvent } from '@holdfast/sdk';
import { signWebhook } from '@holdfast/sdk/webhooks';
import { VERSION } from '../version.ts';
import type { CursorFile } from './cursor-file.ts';
import { type Attempt, forwardUntilTaken, type Retries } from './forward.ts';

export interface Following {
  readonly holdfast: Holdfast;
  readonly forwardTo: string;
  readonly secret: string;
  readonly cursor: CursorFile;
  /** Where to begin; already written down. */
  readonly from: string;
  readonly types: readonly EventType[] | undefined;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly retries?: Retries;
  readonly watch: Watch;
}

/** Everything that is kept; what is not kept any more is not missed then. */
export const BEGINNING = '1970-01-01T00:00:00Z';

/** What a person wants to see while it runs. */
export interface Watch {
  connected(): void;
  disconnected(why: string, retryInMs: number): void;
  /** Events between the cursor and this time are gone for good. */
  gap(keptSince: string): void;
  attempted(event: HoldfastEvent, attempt: Attempt, retryInMs: number | undefined): void;
}

/** Ends with its signal; throws what another attempt cannot mend, such as a key that has ended. */
export async function followEvents(following: Following): Promise<void> {
  const { holdfast, forwardTo, secret, cursor, types, signal, clock, watch } = following;
  const stream = holdfast.events.streamWithCursor({
    from: following.from === BEGINNING ? 'beginning' : following.from,
    types,
    signal,
    onConnect: () => watch.connected(),
    onDisconnect: (error, retryInMs) =>
      watch.disconnected(error?.message ?? 'the server ended the stream', retryInMs),
    onReset: ({ keptSince }) => {
      watch.gap(keptSince);
      cursor.write(keptSince);
    },
  });
  for await (const { event, text: body, cursor: place } of stream) {
    if (signal.aborted) return;
    const headers = async () => {
      const signed = await signWebhook(body, secret, { at: clock.now() });
      return { ...signed.headers, 'user-agent': `Holdfast-Webhooks/${VERSION}` };
    };
    try {
      await forwardUntilTaken(
        { url: forwardTo, headers, body },
        (attempt, retryInMs) => watch.attempted(event, attempt, retryInMs),
        { signal, ...(following.retries && { retries: following.retries }) },
      );
    } catch (error) {
      if (signal.aborted) return;
      throw error;
    }
    cursor.write(place);
  }
}
