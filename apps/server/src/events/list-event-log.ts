//! Lists events behind a cursor, oldest first: GET /events/log.
import { refuse } from '@holdfast/contract/errors';
import type { EventEnvelope } from '@holdfast/contract/events';
import type { Call, TenantActor } from '../platform/call.ts';
import { shownTo } from '../platform/mask.ts';
import { type Page, type PageQuery, pageSizeOf } from '../platform/page.ts';
import { read } from '../platform/transact.ts';
import { type EventFilter, findCursor, findOldest, wantedTypes } from './cursor.ts';
import { envelopeOf, readLog } from './event-log.ts';
import type { EventApp } from './open-stream.ts';

export interface EventLogQuery extends EventFilter, Pick<PageQuery, 'limit'> {
  readonly after?: string;
}

/** How far one call looks for events that pass a narrow filter. */
const LOOKED_AT_MAX = 5000;

/**
 * The cursor to go on from is always told, also at the end of the log, and also when nothing
 * passed the filter: it names how far this call has looked.
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
    const from =
      after === undefined
        ? await findOldest(tx, retention)
        : await findCursor(tx, after, retention);
    if (from.keptSince !== null) refuse('CURSOR_EXPIRED', { keptSince: from.keptSince });
    const atMost = types === null ? limit + 1 : LOOKED_AT_MAX;
    const looked = await readLog(tx, from.place, atMost, types);
    const passed = looked.filter(({ payload }) => payload !== null);
    const items = passed.slice(0, limit);
    const hasMore = passed.length > limit || looked.length === atMost;
    const last = passed.length > limit ? items.at(-1) : looked.at(-1);
    return {
      items: items.map((event) => shownTo(tx.actor, envelopeOf(event, marketplaceId))),
      hasMore,
      nextCursor: last?.occurredAt ?? from.goOnFrom,
    };
  });
}
