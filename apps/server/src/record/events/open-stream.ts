//! Opens a stream of events after a cursor, or of live ones only: GET /events.
import { refuse } from '@holdfast/contract/errors';
import { refuseField } from '@holdfast/contract/validation';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import type { Call, Caller } from '../../platform/call.ts';
import { systemCall } from '../../platform/call.ts';
import type { RowNumber } from '../../platform/database/database.ts';
import { read, type Transactor, type Tx } from '../../platform/database/transact.ts';
import type { Outlet } from '../../platform/outlet.ts';
import { type EventFilter, findCursor, findLostCursor, wantedTypes } from './cursor.ts';
import { readLogEnd } from './event-log.ts';
import { resetFrame } from './frame.ts';
import type { EventHub } from './hub.ts';
import { maskedOutlet } from './masked-outlet.ts';

export interface EventApp extends Transactor {
  readonly hub: EventHub;
  readonly config: {
    readonly HOLDFAST_EVENT_RETENTION_DAYS: number;
    readonly HOLDFAST_SURFACE_B_MARKETPLACE?: string | undefined;
  };
}

export interface StreamQuery extends EventFilter {
  /** The header Last-Event-ID; overrides `since`. */
  readonly lastEventId?: string | undefined;
  readonly since?: string;
  readonly marketplaceId?: MarketplaceId;
}

/** Refuses everything that can be refused; the returned function only sends. */
export async function openStream(
  app: EventApp,
  call: Call<Caller>,
  query: StreamQuery,
): Promise<(outlet: Outlet) => Promise<void>> {
  const { marketplace, marketplaceId } = await whoseLog(app, call, query.marketplaceId);
  const cursor = query.lastEventId || query.since;
  const types = wantedTypes(query);
  const { logPosition, reset } = await read(app, systemCall(marketplace), async (tx) =>
    cursor === undefined
      ? { logPosition: await readLogEnd(tx), reset: undefined }
      : findStart(tx, cursor, app.config.HOLDFAST_EVENT_RETENTION_DAYS),
  );
  return async (connection) => {
    const outlet = maskedOutlet(call.actor, connection);
    if (reset !== undefined) outlet.write(reset);
    await app.hub.attach({ marketplace, marketplaceId, logPosition: logPosition, types }, outlet);
  };
}

/** With what the reader has to know first, where events may be missing. */
async function findStart(tx: Tx, cursor: string, retentionDays: number) {
  const lost = await findLostCursor(tx, cursor);
  if (lost !== undefined) {
    const { logPosition, lostSince } = lost;
    return { logPosition, reset: resetFrame(cursor, lostSince, 'lost') };
  }
  const { logPosition, retainedSince } = await findCursor(tx, cursor, retentionDays);
  const reset = retainedSince === null ? undefined : resetFrame(cursor, retainedSince, 'purged');
  return { logPosition, reset };
}

interface Whose {
  readonly marketplace: RowNumber;
  readonly marketplaceId: MarketplaceId;
}

/** Keys and operators receive their own; the master key names one, or uses the built-in one. */
async function whoseLog(
  app: EventApp,
  { actor }: Call<Caller>,
  named: MarketplaceId | undefined,
): Promise<Whose> {
  if (actor.kind === 'key' || actor.kind === 'operator') {
    if (named !== undefined && named !== actor.marketplaceId)
      refuse('MARKETPLACE_NOT_FOUND', { marketplaceId: named });
    return { marketplace: actor.marketplace, marketplaceId: actor.marketplaceId };
  }
  const builtIn = app.config.HOLDFAST_SURFACE_B_MARKETPLACE as MarketplaceId | undefined;
  const marketplaceId =
    named ?? builtIn ?? refuseField('marketplaceId', 'required', 'marketplaceId is required');
  const { rows } = await app.pool.query<{ id: RowNumber | null }>(
    'select access.find_marketplace($1) as id',
    [marketplaceId],
  );
  const marketplace = rows[0]?.id ?? refuse('MARKETPLACE_NOT_FOUND', { marketplaceId });
  return { marketplace, marketplaceId };
}
