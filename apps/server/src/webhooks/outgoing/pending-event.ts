//! Reads the next events of a log for a webhook lane: from memory where possible, else from the log
//! itself.
import type { EventName } from '@holdfast/contract/events';
import type { EventId } from '@holdfast/kernel/ids';
import type { LogPosition } from '../../record/events/event-log.ts';
import type { Feed } from '../../record/events/feed.ts';
import { envelopeIn, envelopeText } from '../../record/events/frame.ts';
import type { TypeFilter } from '../../record/events/type-filter.ts';

export interface PendingEvent extends LogPosition {
  readonly id: EventId;
  readonly type: EventName;
  /** The same bytes as in the stream; null where its type is not subscribed to. */
  readonly body: Buffer | null;
}

const PAGE = 200;

/**
 * All events after the position, including unsubscribed ones, which move the cursor. `gone` when
 * all events after it are no longer retained.
 */
export async function listPendingEvents(
  feed: Feed,
  after: LogPosition,
  types: TypeFilter | null,
): Promise<readonly PendingEvent[] | 'gone'> {
  const buffered = feed.after(after.position);
  if (buffered !== undefined)
    return buffered.map(({ position, occurredAt, id, type, bytes }) => {
      const isWanted = types === null || types.has(type);
      return { position, occurredAt, id, type, body: isWanted ? envelopeIn(bytes) : null };
    });
  const page = await feed.readPage(after, PAGE, types);
  if (page.length === 0) return 'gone';
  return page.map((event) => {
    const { position, occurredAt, id, type, payload } = event;
    const body = payload === null ? null : Buffer.from(envelopeText(event, feed.marketplaceId));
    return { position, occurredAt, id, type, body };
  });
}

/** True as soon as the log grows past the position; false when it does not in time. */
export function waitForGrowth(
  feed: Feed,
  logPosition: LogPosition,
  waitMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  return new Promise((resolve) => {
    const hasGrown = () => feed.end.position > logPosition.position;
    const end = () => {
      clearTimeout(timer);
      feed.unwatch(end);
      signal.removeEventListener('abort', end);
      resolve(hasGrown());
    };
    const timer = setTimeout(end, waitMs);
    feed.watch(end);
    signal.addEventListener('abort', end, { once: true });
    if (hasGrown() || signal.aborted) end();
  });
}
