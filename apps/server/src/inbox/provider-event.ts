//! What providers told us: the only SQL on the inbox. Stored once, ended once.
import { assert } from '@holdfast/kernel/assert';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type pg from 'pg';
import { type ProviderActor, systemCall } from '../platform/call.ts';
import type { RowNumber } from '../platform/database.ts';
import { sql } from '../platform/sql.ts';
import { type Transactor, type Tx, transact } from '../platform/transact.ts';

/** What an event is known by, for ever. */
export interface EventKey {
  readonly provider: ProviderActor['id'];
  readonly eventId: string;
}

/** Where its row is: with its marketplace, or with nobody while that is not known. */
export interface EventPlace extends EventKey {
  readonly marketplace: RowNumber | null;
}

export interface NewEvent extends EventKey {
  readonly type: string;
  readonly body: string;
  readonly requestId: string;
  /** So long the first turn is for whoever stores it, who must say what came of it. */
  readonly keptForMs?: number;
}

export interface ProviderEvent extends EventPlace {
  readonly type: string;
  readonly body: string;
  readonly requestId: string;
  /** This turn and those before it that told something. */
  readonly attempts: number;
}

/** Rows of nobody's are seen in a transaction of nobody's marketplace. */
export function placeCall({ marketplace }: Pick<EventPlace, 'marketplace'>) {
  return systemCall(marketplace ?? '0');
}

export type Stored =
  | { readonly kind: 'new'; readonly place: EventPlace }
  | { readonly kind: 'repeated'; readonly place: EventPlace }
  /** The same id with another body: the first one counts. */
  | { readonly kind: 'contradicted'; readonly place: EventPlace };

/** Committed when it answers. */
export async function storeEvent(app: Transactor, event: NewEvent): Promise<Stored> {
  const { provider, eventId, keptForMs = 0 } = event;
  const made = await transact(
    app,
    placeCall({ marketplace: null }),
    (tx) =>
      tx.query(sql`
        insert into inbox (provider, provider_event_id, event_type, body, received_at,
          correlation_id, status, attempts, next_try_at)
        values (${provider}, ${eventId}, ${event.type}, ${event.body}, ${instantText(tx.now)},
          ${event.requestId}, 'PENDING', 0, ${instantText(tx.now + keptForMs)})
        on conflict do nothing returning provider`),
    'read committed',
  );
  if (made.length === 1) return { kind: 'new', place: { provider, eventId, marketplace: null } };
  const { rows } = await app.pool.query<{ marketplace_id: RowNumber | null; is_same: boolean }>(
    'select marketplace_id, is_same from work.repeated_event($1, $2, $3)',
    [provider, eventId, event.body],
  );
  const [row] = rows;
  assert(row !== undefined, 'what is in the way is there');
  const place = { provider, eventId, marketplace: row.marketplace_id };
  return { kind: row.is_same ? 'repeated' : 'contradicted', place };
}

/** Over all marketplaces: where to look, not what is there. */
export async function listDueEvents(
  pool: pg.Pool,
  count: number,
  now: Instant,
): Promise<EventPlace[]> {
  const { rows } = await pool.query<{
    marketplace_id: RowNumber | null;
    provider: EventKey['provider'];
    provider_event_id: string;
  }>('select marketplace_id, provider, provider_event_id from work.provider_events_due($1, $2)', [
    count,
    instantText(now),
  ]);
  return rows.map((row) => ({
    marketplace: row.marketplace_id,
    provider: row.provider,
    eventId: row.provider_event_id,
  }));
}

/**
 * The turn to apply it, for whoever comes first when it is due: a second, two, four … half a minute
 * later it is the next one's.
 */
export async function takeTurn(
  tx: Tx,
  { provider, eventId, marketplace }: EventPlace,
  { isFirst = false }: { readonly isFirst?: boolean } = {},
): Promise<ProviderEvent | undefined> {
  const [row] = await tx.query<{
    event_type: string;
    body: string;
    correlation_id: string;
    attempts: number;
  }>(sql`
    update inbox set attempts = attempts + 1,
      next_try_at = ${instantText(tx.now)}::timestamptz
        + make_interval(secs => least(30, power(2, least(attempts, 10))))
    where provider = ${provider} and provider_event_id = ${eventId} and status = 'PENDING'
      and (next_try_at <= ${instantText(tx.now)} or (${isFirst} and attempts = 0))
    returning event_type, body, correlation_id, attempts`);
  return (
    row && {
      provider,
      eventId,
      marketplace,
      type: row.event_type,
      body: row.body,
      requestId: row.correlation_id,
      attempts: row.attempts,
    }
  );
}

/** In a transaction of the marketplace: from here on the row is its own. */
export async function matchEvent(
  tx: Tx,
  { provider, eventId }: EventKey,
  resourceId: string,
): Promise<void> {
  await tx.query(sql`
    update inbox set marketplace_id = ${tx.marketplace}, resource_id = ${resourceId}
    where provider = ${provider} and provider_event_id = ${eventId} and marketplace_id is null`);
}

/** Thrown out of a transaction that finds its event ended: nothing of it happens a second time. */
export class EventEnded extends Error {
  override readonly name = 'EventEnded';
}

/** In the transaction that makes it true, or finds that it is. */
export async function endEvent(
  tx: Tx,
  { provider, eventId }: EventKey,
  as: 'APPLIED' | 'SUPERSEDED',
): Promise<void> {
  const ended = await tx.query(sql`
    update inbox set status = ${as}, applied_at = ${instantText(tx.now)}, last_error = null
    where provider = ${provider} and provider_event_id = ${eventId} and status = 'PENDING'
    returning provider`);
  if (ended.length === 0) throw new EventEnded(`${eventId} of ${provider} has ended`);
}

/** True when it was waiting. */
export async function parkEvent(
  tx: Tx,
  { provider, eventId }: EventKey,
  reason: string,
): Promise<boolean> {
  const parked = await tx.query(sql`
    update inbox set status = 'PARKED', last_error = ${reason}
    where provider = ${provider} and provider_event_id = ${eventId} and status = 'PENDING'
    returning provider`);
  return parked.length === 1;
}

/**
 * A turn that told nothing does not count. The next one comes after as long as it has been here
 * already: a second at least, half a minute at most.
 */
export async function uncountTurn(
  tx: Tx,
  { provider, eventId }: EventKey,
  reason: string,
): Promise<void> {
  const now = instantText(tx.now);
  await tx.query(sql`
    update inbox set last_error = ${reason}, attempts = greatest(0, attempts - 1),
      next_try_at = ${now}::timestamptz + least(interval '30 seconds',
        greatest(interval '1 second', ${now}::timestamptz - received_at))
    where provider = ${provider} and provider_event_id = ${eventId} and status = 'PENDING'`);
}

export async function noteReason(
  tx: Tx,
  { provider, eventId }: EventKey,
  reason: string,
): Promise<void> {
  await tx.query(sql`
    update inbox set last_error = ${reason}
    where provider = ${provider} and provider_event_id = ${eventId} and status = 'PENDING'`);
}
