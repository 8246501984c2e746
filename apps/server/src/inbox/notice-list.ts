//! Notices of providers, as people look at them. Rows of nobody's are for the platform's own eyes:
//! their policy shows them in any transaction, so every statement names whose it wants.

import type { NoticeView } from '@holdfast/contract/console-records';
import { type Instant, instantText, readInstant } from '@holdfast/kernel/clock';
import { idFloor, type NoticeId } from '@holdfast/kernel/ids';
import { type Query, sql } from '../platform/sql.ts';
import type { Tx } from '../platform/transact.ts';
import type { EventPlace } from './provider-event.ts';

export interface Notice extends Pick<EventPlace, 'provider' | 'marketplace'> {
  readonly id: NoticeId;
  readonly eventId: string;
  readonly type: string;
  readonly status: NoticeView['status'];
  readonly reason: string | null;
  readonly resourceId: string | null;
  readonly attempts: number;
  readonly contradictions: number;
  readonly requestId: string;
  readonly receivedAt: Instant;
  readonly appliedAt: Instant | null;
  readonly nextTryAt: Instant;
}

export interface NoticeDetail extends Notice {
  readonly body: string;
}

export interface NoticeFilter {
  readonly status?: Notice['status'];
  readonly provider?: Notice['provider'];
  readonly resourceId?: string;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
}

/** Sorts after every id. */
const ID_CEILING = 'inb_~';

/** Null for whoever stands outside of all marketplaces. */
function ownerOf({ actor, marketplace }: Pick<Tx, 'actor' | 'marketplace'>): string | null {
  return actor.kind === 'master' || actor.kind === 'person' ? null : marketplace;
}

/** A statement for each way in, so that each has its index. */
export async function listNoticeRows(
  tx: Tx,
  filter: NoticeFilter,
  after: string | null,
  count: number,
): Promise<Notice[]> {
  const { status = null, provider = null, resourceId } = filter;
  const floor = (text: string | undefined, otherwise: string) =>
    text === undefined ? otherwise : idFloor('inb', readInstant(text) ?? 0);
  const from = floor(filter.createdAfter, idFloor('inb', 0));
  const ends = floor(filter.createdBefore, ID_CEILING);
  const below = after !== null && after < ends ? after : ends;
  const owner = ownerOf(tx);
  const ids = await tx.query<{ id: NoticeId }>(
    waysIn({ owner, status, provider, resourceId, from, below, count }),
  );
  return findNotices(
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

function waysIn({ owner, status, provider, resourceId, from, below, count }: Wanted): Query {
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

export async function findNotice(tx: Tx, id: NoticeId): Promise<NoticeDetail | undefined> {
  const [notice] = await findNotices(tx, [id]);
  return notice;
}

async function findNotices(tx: Tx, ids: readonly NoticeId[]): Promise<NoticeDetail[]> {
  const owner = ownerOf(tx);
  return tx.query<NoticeDetail>(sql`
    select id, provider, provider_event_id as "eventId", marketplace_id as marketplace,
      event_type as type, status, last_error as reason, resource_id as "resourceId", attempts,
      contradictions, correlation_id as "requestId", received_at as "receivedAt",
      applied_at as "appliedAt", next_try_at as "nextTryAt", body
    from inbox
    where id = any(${ids}) and marketplace_id is not distinct from ${owner}::bigint
    order by id desc`);
}

/** Waits again, from the first turn on and at once. False when it has been applied meanwhile. */
export async function unparkNotice(tx: Tx, id: NoticeId): Promise<boolean> {
  const moved = await tx.query(sql`
    update inbox set status = 'PENDING', attempts = 0, next_try_at = ${instantText(tx.now)}, last_error = null
    where id = ${id} and status in ('PENDING', 'PARKED') returning id`);
  return moved.length === 1;
}
