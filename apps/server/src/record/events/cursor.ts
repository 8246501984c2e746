//! Cursors: the position in the log from which a reader continues. A time of the stream, or the id
//! of an event.

import type { AGGREGATE_TYPES } from '@holdfast/contract/enums';
import { aggregateTypeOf, EVENT_NAMES, type EventName } from '@holdfast/contract/events';
import { refuseField } from '@holdfast/contract/validation';
import { type Instant, instantText, microsText, readInstant } from '@holdfast/kernel/clock';
import { type EventId, microsOf, readId } from '@holdfast/kernel/ids';
import type { Tx } from '../../platform/database/transact.ts';
import {
  findLogPosition,
  findLostTime,
  isLogged,
  type LogPosition,
  readLogEnd,
} from './event-log.ts';
import { familyOf, TypeFilter } from './type-filter.ts';

const DAY_MS = 86_400_000;
/** The last instant with a year of four digits. */
const LAST_INSTANT = 253_402_300_799_999;

/** Behind the cursor, or behind the oldest retained event when the cursor is older. */
export interface ResolvedCursor {
  readonly logPosition: LogPosition;
  /** Since when all events are retained, when the cursor is older: events may be missing. */
  readonly retainedSince: string | null;
  /** The cursor for the next call when nothing follows; null for the start. */
  readonly resumeFrom: string | null;
}

/** Where a reader continues whose last event may have been lost in a restore or a failover. */
export interface LostCursor {
  readonly logPosition: LogPosition;
  readonly lostSince: string;
}

/** Undefined for a cursor whose events are all still here. */
export async function findLostCursor(tx: Tx, cursor: string): Promise<LostCursor | undefined> {
  const { time } = partsOf(cursor);
  const lostSince = await findLostTime(tx, time);
  if (lostSince === undefined) return undefined;
  return { logPosition: await findLogPosition(tx, lostSince), lostSince };
}

function partsOf(cursor: string): { readonly id: EventId | undefined; readonly time: string } {
  const id = readId('evt', cursor);
  const time = id === undefined ? readTime(cursor) : microsText(microsOf(id));
  if (time === undefined)
    return refuseCursor(`${cursor.slice(0, 60)} is not a time or an event id`);
  return { id, time };
}

export async function findCursor(
  tx: Tx,
  cursor: string,
  retentionDays: number,
): Promise<ResolvedCursor> {
  const retainedSince = retainedSinceText(tx.now, retentionDays);
  const { id, time } = partsOf(cursor);
  // Texts of one form and one zone compare like times.
  if (time < retainedSince) {
    const end = await readLogEnd(tx);
    // A reader that has the last event of a log that has been quiet since misses nothing.
    if (end.occurredAt === time)
      return { logPosition: end, retainedSince: null, resumeFrom: cursor };
    return {
      logPosition: await findLogPosition(tx, retainedSince),
      retainedSince,
      resumeFrom: retainedSince,
    };
  }
  if (id !== undefined && !(await isLogged(tx, id, time)))
    return refuseCursor(`event ${id} not found`);
  const logPosition = await findLogPosition(tx, time);
  // A time in the future would skip the events until then.
  const isAhead = time > microsText(tx.now * 1000);
  const retainedEnd = logPosition.occurredAt < retainedSince ? null : logPosition.occurredAt;
  return { logPosition, retainedSince: null, resumeFrom: isAhead ? retainedEnd : cursor };
}

/** All retained events. */
export async function findOldest(tx: Tx, retentionDays: number): Promise<ResolvedCursor> {
  const logPosition = await findLogPosition(tx, retainedSinceText(tx.now, retentionDays));
  return { logPosition, retainedSince: null, resumeFrom: null };
}

function retainedSinceText(now: Instant, retentionDays: number): string {
  return microsText((now - retentionDays * DAY_MS) * 1000);
}

function refuseCursor(reason: string): never {
  return refuseField('cursor', 'format', `cursor is invalid: ${reason}`);
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
export function wantedTypes({ types, resources }: EventFilter): TypeFilter | null {
  if (types === undefined && resources === undefined) return null;
  const isWanted = (name: EventName) => resources?.includes(aggregateTypeOf(name)) ?? true;
  if (types !== undefined) return new TypeFilter(types.filter(isWanted));
  return new TypeFilter([], EVENT_NAMES.filter(isWanted).map(familyOf));
}
