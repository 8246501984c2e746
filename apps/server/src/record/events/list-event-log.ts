//! Lists events after a cursor, oldest first: GET /events/log.
import { refuse } from '@holdfast/contract/errors';
import type { EventEnvelope } from '@holdfast/contract/events';
import type { Call, TenantActor } from '../../platform/call.ts';
import { type Page, type PageQuery, pageSizeOf } from '../../platform/database/page.ts';
import { read } from '../../platform/database/transact.ts';
import { shownTo } from '../../platform/mask.ts';
import { type EventFilter, findCursor, findLostCursor, findOldest, wantedTypes } from './cursor.ts';
import { envelopeOf, readLog } from './event-log.ts';
import type { EventApp } from './open-stream.ts';

export interface EventLogQuery extends EventFilter, Pick<PageQuery, 'limit'> {
  readonly after?: string;
}

/** How far one call searches for events that pass a narrow filter. */
const SCANNED_MAX = 5000;

/**
 * Always returns the cursor to continue from, also at the end of the log. When nothing passed the
 * filter, it names how far this call has read.
 */
export async function listEventLog(
  app: EventApp,
  call: Call<TenantActor>,
  query: EventLogQuery,
): Promise<Page<EventEnvelope>> {
  const { marketplaceId } = call.actor;
  const types = wantedTypes(query);
  const limit = pageSizeOf(query);
  const retention = app.config.HOLDFAST_EVENT_RETENTION_DAYS;
  return read(app, call, async (tx) => {
    const { after } = query;
    const lost = after === undefined ? undefined : await findLostCursor(tx, after);
    if (lost !== undefined) refuse('CURSOR_EXPIRED', { retainedSince: lost.lostSince });
    const from =
      after === undefined
        ? await findOldest(tx, retention)
        : await findCursor(tx, after, retention);
    if (from.retainedSince !== null)
      refuse('CURSOR_EXPIRED', { retainedSince: from.retainedSince });
    const atMost = types === null ? limit + 1 : SCANNED_MAX;
    const scanned = await readLog(tx, from.logPosition, atMost, types);
    const passed = scanned.filter(({ payload }) => payload !== null);
    const items = passed.slice(0, limit);
    const hasMore = passed.length > limit || scanned.length === atMost;
    const last = passed.length > limit ? items.at(-1) : scanned.at(-1);
    return {
      items: items.map((event) => shownTo(tx.actor, envelopeOf(event, marketplaceId))),
      hasMore,
      nextCursor: last?.occurredAt ?? from.resumeFrom,
    };
  });
}
