//! Reads providers' notifications for the API and the console, and lets one be applied again. Rows
//! without a marketplace are for the platform only. Their policy shows them in any transaction, so
//! every statement names the owner.
import type { NotificationView } from '@holdfast/contract/records/console-records';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { NotificationId } from '@holdfast/kernel/ids';
import { type CreatedFilter, idRange } from '../../platform/database/id-range.ts';
import { type Query, sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import type { InboxRef } from './inbox.ts';

export interface Notification extends Pick<InboxRef, 'provider' | 'marketplace'> {
  readonly id: NotificationId;
  readonly eventId: string;
  readonly type: string;
  readonly status: NotificationView['status'];
  readonly reason: string | null;
  readonly resourceId: string | null;
  readonly attempts: number;
  readonly contradictions: number;
  readonly requestId: string;
  readonly receivedAt: Instant;
  readonly appliedAt: Instant | null;
  readonly nextTryAt: Instant;
}

export interface NotificationDetail extends Notification {
  readonly body: string;
}

export interface NotificationFilter extends CreatedFilter {
  readonly status?: Notification['status'];
  readonly provider?: Notification['provider'];
  readonly resourceId?: string;
}

/** Null for an actor outside of all marketplaces. */
function ownerOf({ actor, marketplace }: Pick<Tx, 'actor' | 'marketplace'>): string | null {
  return actor.kind === 'master' || actor.kind === 'person' ? null : marketplace;
}

/** One statement per filter, so that each can use its index. */
export async function listNotificationRows(
  tx: Tx,
  filter: NotificationFilter,
  after: string | null,
  count: number,
): Promise<Notification[]> {
  const { status = null, provider = null, resourceId } = filter;
  const { from, below } = idRange('inb', filter, after);
  const owner = ownerOf(tx);
  const ids = await tx.query<{ id: NotificationId }>(
    queryFor({ owner, status, provider, resourceId, from, below, count }),
  );
  return findNotifications(
    tx,
    ids.map(({ id }) => id),
  );
}

interface Wanted {
  readonly owner: string | null;
  readonly status: string | null;
  readonly provider: string | null;
  readonly resourceId: string | undefined;
  readonly from: string;
  readonly below: string;
  readonly count: number;
}

function queryFor({ owner, status, provider, resourceId, from, below, count }: Wanted): Query {
  if (resourceId !== undefined)
    return sql`
      select id from inbox where resource_id = ${resourceId} and marketplace_id = ${owner}
        and id >= ${from} and id < ${below} and (${status}::text is null or status = ${status})
        and (${provider}::text is null or provider = ${provider})
      order by id desc limit ${count}`;
  if (owner === null)
    return sql`
      select id from inbox where marketplace_id is null and id >= ${from} and id < ${below}
        and (${status}::text is null or status = ${status})
        and (${provider}::text is null or provider = ${provider})
      order by id desc limit ${count}`;
  if (status === 'PARKED')
    return sql`
      select id from inbox where marketplace_id = ${owner} and status = 'PARKED'
        and id >= ${from} and id < ${below}
        and (${provider}::text is null or provider = ${provider})
      order by id desc limit ${count}`;
  return sql`
    select id from inbox where marketplace_id = ${owner} and id >= ${from} and id < ${below}
      and (${status}::text is null or status = ${status})
      and (${provider}::text is null or provider = ${provider})
    order by id desc limit ${count}`;
}

export async function findNotification(
  tx: Tx,
  id: NotificationId,
): Promise<NotificationDetail | undefined> {
  const [notification] = await findNotifications(tx, [id]);
  return notification;
}

async function findNotifications(
  tx: Tx,
  ids: readonly NotificationId[],
): Promise<NotificationDetail[]> {
  const owner = ownerOf(tx);
  return tx.query<NotificationDetail>(sql`
    select id, provider, provider_event_id as "eventId", marketplace_id as marketplace,
      event_type as type, status, last_error as reason, resource_id as "resourceId", attempts,
      contradictions, correlation_id as "requestId", received_at as "receivedAt",
      applied_at as "appliedAt", next_try_at as "nextTryAt", body
    from inbox
    where id = any(${ids}) and marketplace_id is not distinct from ${owner}::bigint
    order by id desc`);
}

/**
 * Makes it pending and due, with its attempts at zero. False when it has been applied meanwhile.
 */
export async function unparkNotification(tx: Tx, id: NotificationId): Promise<boolean> {
  const moved = await tx.query(sql`
    update inbox set status = 'PENDING', attempts = 0, next_try_at = ${instantText(tx.now)}, last_error = null
    where id = ${id} and status in ('PENDING', 'PARKED') returning id`);
  return moved.length === 1;
}
