//! What comes next in a log for somebody who pushes it: from memory when that reaches, else from
//! the log itself.
import type { EventName } from '@holdfast/contract/events';
import type { EventId } from '@holdfast/kernel/ids';
import type { Place } from '../events/event-log.ts';
import type { Feed } from '../events/feed.ts';
import { envelopeIn, envelopeText } from '../events/frame.ts';

export interface Coming extends Place {
  readonly id: EventId;
  readonly type: EventName;
  /** The envelope to the byte as the stream sends it; null where its type is not wanted. */
  readonly body: Buffer | null;
}

const PAGE = 200;

/**
 * Whatever follows the place, also what is not wanted: it moves the cursor. `gone` when all that
 * followed it was forgotten.
 */
export async function listComing(
  feed: Feed,
  after: Place,
  types: ReadonlySet<EventName> | null,
): Promise<readonly Coming[] | 'gone'> {
  const kept = feed.after(after.position);
  if (kept !== undefined)
    return kept.map(({ position, occurredAt, id, type, bytes }) => {
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

/** True as soon as the log goes on behind the place; false when it does not for so long. */
export function growth(
  feed: Feed,
  place: Place,
  waitMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  return new Promise((resolve) => {
    const hasGrown = () => feed.end.position > place.position;
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
