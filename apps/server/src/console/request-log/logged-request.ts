//! The request log: the only SQL that reads it. Pages go by id, which starts with the time.
import type { LoggedRequestId } from '@holdfast/kernel/ids';
import type { CompletedRequest } from '../../platform/completed-request.ts';
import { type CreatedFilter, idRange } from '../../platform/database/id-range.ts';
import { type Query, sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';

export interface LoggedRequest extends Omit<CompletedRequest, 'marketplace'> {
  readonly id: LoggedRequestId;
}

export interface RequestFilter extends CreatedFilter {
  readonly status?: string;
  readonly method?: string;
  readonly route?: string;
  readonly actorId?: string;
  readonly requestId?: string;
  readonly errorCode?: string;
}

export async function listRequestRows(
  tx: Tx,
  filter: RequestFilter,
  after: string | null,
  count: number,
): Promise<LoggedRequest[]> {
  const { from, below } = idRange('req', filter, after);
  const ids = await tx.query<{ id: LoggedRequestId }>(wayIn(tx, filter, from, below, count));
  return findRequests(
    tx,
    ids.map(({ id }) => id),
  );
}

/** `404` is one status, `4xx` a range of a hundred. */
function statusRange(status: string = ''): readonly [low: string, high: string] {
  if (status === '') return ['000', '999'];
  const first = status.slice(0, 1);
  return status.endsWith('xx') ? [`${first}00`, `${first}99`] : [status, status];
}

/** A separate statement for each filter, so that each uses its index. */
function wayIn(tx: Tx, filter: RequestFilter, from: string, below: string, count: number): Query {
  const { method = null, route = null, actorId = null, errorCode = null, requestId } = filter;
  const [low, high] = statusRange(filter.status);
  if (requestId !== undefined)
    return sql`
      select id from request_log where request_id = ${requestId}
        and id >= ${from} and id < ${below} and marketplace_id = ${tx.marketplace}
        and status between ${low} and ${high} order by id desc limit ${count}`;
  if (actorId !== null)
    return sql`
      select id from request_log where actor_id = ${actorId}
        and id >= ${from} and id < ${below} and marketplace_id = ${tx.marketplace}
        and status between ${low} and ${high} and (${method}::text is null or method = ${method})
        and (${route}::text is null or route = ${route})
        and (${errorCode}::text is null or error_code = ${errorCode})
      order by id desc limit ${count}`;
  if (low >= '400' || errorCode !== null)
    return sql`
      select id from request_log where marketplace_id = ${tx.marketplace} and status >= 400
        and id >= ${from} and id < ${below} and status between ${low} and ${high}
        and (${method}::text is null or method = ${method})
        and (${route}::text is null or route = ${route})
        and (${errorCode}::text is null or error_code = ${errorCode})
      order by id desc limit ${count}`;
  return sql`
    select id from request_log where marketplace_id = ${tx.marketplace}
      and id >= ${from} and id < ${below} and status between ${low} and ${high}
      and (${method}::text is null or method = ${method})
      and (${route}::text is null or route = ${route})
    order by id desc limit ${count}`;
}

/** Every request that came with the key, newest first. */
export async function listKeyUses(tx: Tx, key: string, count: number): Promise<LoggedRequest[]> {
  const ids = await tx.query<{ id: LoggedRequestId }>(sql`
    select id from request_log where idempotency_key = ${key} and marketplace_id = ${tx.marketplace}
    order by id desc limit ${count}`);
  return findRequests(
    tx,
    ids.map(({ id }) => id),
  );
}

async function findRequests(tx: Tx, ids: readonly LoggedRequestId[]): Promise<LoggedRequest[]> {
  if (ids.length === 0) return [];
  return tx.query<LoggedRequest>(sql`
    select id, occurred_at as at, method, route, path, status, latency_ms as "latencyMs",
      actor_id as "actorId", request_id as "requestId", idempotency_key as "idempotencyKey",
      is_replay as "isReplay", error_code as "errorCode", address, user_agent as "userAgent"
    from request_log where marketplace_id = ${tx.marketplace} and id = any(${ids})
    order by id desc`);
}
