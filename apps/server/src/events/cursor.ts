//! Cursors: where in the log a reader wants to go on. A time of the stream, or the id of an event.
import { refuse } from '@holdfast/contract/errors';
import { aggregateTypeOf, EVENT_NAMES, type EventName } from '@holdfast/contract/events';
import type { AGGREGATE_TYPES } from '@holdfast/contract/words';
import { type Instant, instantText, microsText, readInstant } from '@holdfast/kernel/clock';
import { microsOf, readId } from '@holdfast/kernel/ids';
import type { Tx } from '../platform/transact.ts';
import { findPlace, isLogged, type Place, readLogEnd } from './event-log.ts';

const DAY_MS = 86_400_000;
/** The last that four digits of year can tell. */
const LAST_INSTANT = 253_402_300_799_999;

/** Behind the cursor, or behind the oldest event that is kept when the cursor is older. */
export interface Found {
  readonly place: Place;
  /** Since when everything is kept, when the cursor is older: something may be missing. */
  readonly keptSince: string | null;
  /** The cursor to come back with when nothing follows; null for the beginning. */
  readonly goOnFrom: string | null;
}

export async function findCursor(tx: Tx, cursor: string, retentionDays: number): Promise<Found> {
  const keptSince = keptSinceText(tx.now, retentionDays);
  const id = readId('evt', cursor);
  const time = id === undefined ? readTime(cursor) : microsText(microsOf(id));
  if (time === undefined) return refuseCursor(`${cursor.slice(0, 60)} is neither a time nor an id`);
  // Texts of one form and one zone compare like times.
  if (time < keptSince) {
    const end = await readLogEnd(tx);
    // Whoever holds the last event of a log that has been quiet since misses nothing.
    if (end.occurredAt === time) return { place: end, keptSince: null, goOnFrom: cursor };
    return { place: await findPlace(tx, keptSince), keptSince, goOnFrom: keptSince };
  }
  if (id !== undefined && !(await isLogged(tx, id, time)))
    return refuseCursor(`there is no event ${id} here`);
  const place = await findPlace(tx, time);
  // A time to come would pass over what happens until then.
  const isAhead = time > microsText(tx.now * 1000);
  const endsKept = place.occurredAt < keptSince ? null : place.occurredAt;
  return { place, keptSince: null, goOnFrom: isAhead ? endsKept : cursor };
}

/** Everything that is kept. */
export async function findOldest(tx: Tx, retentionDays: number): Promise<Found> {
  const place = await findPlace(tx, keptSinceText(tx.now, retentionDays));
  return { place, keptSince: null, goOnFrom: null };
}

function keptSinceText(now: Instant, retentionDays: number): string {
  return microsText((now - retentionDays * DAY_MS) * 1000);
}

function refuseCursor(reason: string): never {
  return refuse('VALIDATION_ERROR', { validationErrors: [`the cursor is wrong: ${reason}`] });
}

/** Digits below the microsecond are cut off, never rounded up: a repeat is better than a gap. */
function readTime(text: string): string | undefined {
  const instant = readInstant(text);
  if (instant === undefined || instant < 0 || instant > LAST_INSTANT) return undefined;
  const [, fraction = ''] = /\.(\d+)/.exec(text) ?? [];
  return `${instantText(instant).slice(0, 19)}.${fraction.padEnd(6, '0').slice(0, 6)}Z`;
}

export interface EventFilter {
  readonly types?: readonly EventName[];
  readonly resources?: readonly (typeof AGGREGATE_TYPES)[number][];
}

/** The types that pass; null when all do. */
export function wantedTypes({ types, resources }: EventFilter): ReadonlySet<EventName> | null {
  if (types === undefined && resources === undefined) return null;
  return new Set(
    EVENT_NAMES.filter(
      (name) =>
        (types?.includes(name) ?? true) && (resources?.includes(aggregateTypeOf(name)) ?? true),
    ),
  );
}
