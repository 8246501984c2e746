//! The inbox of provider events: the only SQL that writes it. An event is stored once and ended
//! once.
import { assert } from '@holdfast/kernel/assert';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import { type NotificationId, newId } from '@holdfast/kernel/ids';
import type pg from 'pg';
import { type ProviderActor, systemCall } from '../../platform/call.ts';
import type { RowNumber } from '../../platform/database/database.ts';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import { type Transactor, type Tx, transact } from '../../platform/database/transact.ts';

/** The permanent key of an event. */
export interface EventKey {
  readonly provider: ProviderActor['id'];
  readonly eventId: string;
}

/** Where its row is: with its marketplace, or with none while that is unknown. */
export interface InboxRef extends EventKey {
  readonly marketplace: RowNumber | null;
}

export interface NewEvent extends EventKey {
  readonly type: string;
  readonly body: string;
  readonly requestId: string;
  /**
   * For this long the first attempt is reserved for the process that stores the event, which must
   * report the result.
   */
  readonly reservedForMs?: number;
}

export interface ProviderEvent extends InboxRef {
  readonly id: NotificationId;
  readonly type: string;
  readonly body: string;
  readonly requestId: string;
  /** This attempt and the earlier ones that count. */
  readonly attempts: number;
}

/** Rows without a marketplace are visible in a transaction of no marketplace. */
export function callFor({ marketplace }: Pick<InboxRef, 'marketplace'>) {
  return systemCall(marketplace ?? '0');
}

export type StoreResult =
  | { readonly kind: 'new'; readonly ref: InboxRef }
  | { readonly kind: 'repeated'; readonly ref: InboxRef }
  /** The same id with another body: the first one counts. */
  | { readonly kind: 'contradicted'; readonly ref: InboxRef };

/** Committed when it returns. */
export async function storeEvent(app: Transactor, event: NewEvent): Promise<StoreResult> {
  const { provider, eventId, reservedForMs = 0 } = event;
  const inserted = await transact(
    app,
    // Stored in any state of the database; applied only where others may write.
    { ...callFor({ marketplace: null }), worksDuringRecovery: true },
    (tx) =>
      tx.query(sql`
        insert into inbox (id, provider, provider_event_id, event_type, body, received_at,
          correlation_id, status, attempts, next_try_at)
        values (${newId('inb', tx.now)}, ${provider}, ${eventId}, ${event.type}, ${event.body},
          ${instantText(tx.now)}, ${event.requestId}, 'PENDING', 0, ${instantText(tx.now + reservedForMs)})
        on conflict do nothing returning provider`),
    'read committed',
  );
  if (inserted.length === 1) return { kind: 'new', ref: { provider, eventId, marketplace: null } };
  const { rows } = await app.pool.query<{ marketplace_id: RowNumber | null; is_same: boolean }>(
    'select marketplace_id, is_same from work.check_repeated_event($1, $2, $3)',
    [provider, eventId, event.body],
  );
  const [row] = rows;
  assert(row !== undefined, 'what is in the way is there');
  const ref = { provider, eventId, marketplace: row.marketplace_id };
  return { kind: row.is_same ? 'repeated' : 'contradicted', ref: ref };
}

/** Due events of all marketplaces; only references, not the rows. */
export async function listDueEvents(
  pool: pg.Pool,
  count: number,
  now: Instant,
): Promise<InboxRef[]> {
  const { rows } = await pool.query<
    Row<'inbox', 'marketplace_id' | 'provider' | 'provider_event_id'>
  >('select marketplace_id, provider, provider_event_id from work.inbox_events_due($1, $2)', [
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
 * Claims a due event for one worker. The next claim is possible after a second, two, four, up to
 * half a minute.
 */
export async function claimEvent(
  tx: Tx,
  { provider, eventId, marketplace }: InboxRef,
  { isFirst = false }: { readonly isFirst?: boolean } = {},
): Promise<ProviderEvent | undefined> {
  const [row] = await tx.query<
    Row<
      'inbox',
      'id' | 'event_type' | 'body' | 'correlation_id' | 'attempts',
      { id: NotificationId }
    >
  >(sql`
    update inbox set attempts = attempts + 1,
      next_try_at = ${instantText(tx.now)}::timestamptz
        + make_interval(secs => least(30, power(2, least(attempts, 10))))
    where provider = ${provider} and provider_event_id = ${eventId} and status = 'PENDING'
      and (next_try_at <= ${instantText(tx.now)} or (${isFirst} and attempts = 0))
    returning id, event_type, body, correlation_id, attempts`);
  return (
    row && {
      id: row.id,
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

/** Runs in a transaction of the marketplace, which owns the row from then on. */
export async function matchEvent(
  tx: Tx,
  { provider, eventId }: EventKey,
  resourceId: string,
): Promise<void> {
  await tx.query(sql`
    update inbox set marketplace_id = ${tx.marketplace}, resource_id = ${resourceId}
    where provider = ${provider} and provider_event_id = ${eventId} and marketplace_id is null`);
}

/** Thrown out of a transaction whose event has ended, so that nothing is applied twice. */
export class EventEnded extends Error {
  override readonly name = 'EventEnded';
}

/** Runs in the transaction that applies the event, or that finds it applied. */
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

/** True when it was pending. */
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
 * Does not count an attempt that gave no information. The next one waits as long as the event has
 * been here: at least a second, at most half a minute.
 */
export async function uncountAttempt(
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

export async function recordReason(
  tx: Tx,
  { provider, eventId }: EventKey,
  reason: string,
): Promise<void> {
  await tx.query(sql`
    update inbox set last_error = ${reason}
    where provider = ${provider} and provider_event_id = ${eventId} and status = 'PENDING'`);
}
