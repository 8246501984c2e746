//! Consumes the event log and forwards each event to a handler, in order, until it is accepted;
//! then stores the cursor. An interrupted event is forwarded again.
import type { Clock } from '@holdfast/kernel/clock';
import type { EventType, Holdfast, HoldfastEvent } from '@holdfast/sdk';
import { signWebhook } from '@holdfast/sdk/webhooks';
import { VERSION } from '../version.ts';
import type { CursorFile } from './cursor-file.ts';
import { type Attempt, forwardUntilTaken, type Retries } from './forward.ts';

export interface Forwarding {
  readonly holdfast: Holdfast;
  readonly forwardTo: string;
  readonly secret: string;
  readonly cursor: CursorFile;
  /** Where to start; already stored. */
  readonly from: string;
  readonly types: readonly EventType[] | undefined;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly retries?: Retries;
  readonly watch: Watch;
}

/** The start of the retained log; events past retention do not count as a gap then. */
export const BEGINNING = '1970-01-01T00:00:00Z';

/** Receives the progress, for display. */
export interface Watch {
  connected(): void;
  disconnected(why: string, retryInMs: number): void;
  /** Events between the cursor and this time are gone for good. */
  gap(retainedSince: string): void;
  attempted(event: HoldfastEvent, attempt: Attempt, retryInMs: number | undefined): void;
}

/** Ends with its signal; throws what another attempt cannot mend, such as a key that has ended. */
export async function forwardEvents(forwarding: Forwarding): Promise<void> {
  const { holdfast, forwardTo, secret, cursor, types, signal, clock, watch } = forwarding;
  const stream = holdfast.events.streamWithCursor({
    from: forwarding.from === BEGINNING ? 'beginning' : forwarding.from,
    types,
    signal,
    onConnect: () => watch.connected(),
    onDisconnect: (error, retryInMs) =>
      watch.disconnected(error?.message ?? 'the server closed the stream', retryInMs),
    onReset: ({ retainedSince }) => {
      watch.gap(retainedSince);
      cursor.write(retainedSince);
    },
  });
  for await (const { event, text: body, cursor: position } of stream) {
    if (signal.aborted) return;
    const headers = async () => {
      const signed = await signWebhook(body, secret, { at: clock.now() });
      return { ...signed.headers, 'user-agent': `Holdfast-Webhooks/${VERSION}` };
    };
    try {
      await forwardUntilTaken(
        { url: forwardTo, headers, body },
        (attempt, retryInMs) => watch.attempted(event, attempt, retryInMs),
        { signal, ...(forwarding.retries && { retries: forwarding.retries }) },
      );
    } catch (error) {
      if (signal.aborted) return;
      throw error;
    }
    cursor.write(position);
  }
}
