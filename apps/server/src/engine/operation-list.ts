//! Finds the operations that match a filter, newest first.
import type { OperationId } from '@holdfast/kernel/ids';
import { type CreatedFilter, idRange } from '../platform/database/id-range.ts';
import { sql } from '../platform/database/sql.ts';
import type { Tx } from '../platform/database/transact.ts';
import { type Operation, type OperationRow, readOperation } from './operation.ts';

export interface OperationFilter extends CreatedFilter {
  readonly status?: Operation['status'];
  readonly kind?: string;
  readonly resourceId?: string;
  readonly attention?: 'true';
}

/**
 * Most operations have ended, so open ones are read from their own table. A resource has its own
 * index; every other filter scans the primary key from the newest.
 */
export async function listOperationIds(
  tx: Tx,
  filter: OperationFilter,
  after: string | null,
  count: number,
): Promise<Pick<OperationRow, 'id'>[]> {
  const { status = null, kind = null, resourceId, attention } = filter;
  const { from, below } = idRange('op', filter, after);
  if (resourceId !== undefined)
    return tx.query(sql`
      select id from operation
      where resource_id = ${resourceId} and id >= ${from} and id < ${below}
        and marketplace_id = ${tx.marketplace}
        and (${status}::text is null or status = ${status})
        and (${kind}::text is null or kind = ${kind})
      order by id desc limit ${count}`);
  if (attention !== undefined || status === 'RUNNING' || status === 'ESCALATED')
    return tx.query(sql`
      select o.id from open_operation w
      cross join lateral (select id, status, kind, attempts, next_try_at, heartbeat_at from operation
        where marketplace_id = w.marketplace_id and id = w.operation_id limit 1) o
      where w.marketplace_id = ${tx.marketplace} and o.id >= ${from} and o.id < ${below}
        and (${status}::text is null or o.status = ${status})
        and (${kind}::text is null or o.kind = ${kind})
        and (${attention !== undefined} is false or o.status = 'ESCALATED' or o.attempts > 1
          or (o.attempts = 1 and o.next_try_at > o.heartbeat_at))
      order by o.id desc limit ${count}`);
  return tx.query(sql`
    select id from operation
    where marketplace_id = ${tx.marketplace} and id >= ${from} and id < ${below}
      and (${status}::text is null or status = ${status})
      and (${kind}::text is null or kind = ${kind})
    order by id desc limit ${count}`);
}

/** Newest first. Batched for readers that need many. */
export async function findOperations(tx: Tx, ids: readonly OperationId[]): Promise<Operation[]> {
  const rows = await tx.query<OperationRow>(sql`
    select marketplace_id, id, kind, resource_type, resource_id, status, epoch, attempts,
      has_moved_money, plan, result, refusal_code, refusal_details, next_try_at, escalated_at, actor_id,
      correlation_id, traceparent, created_at, updated_at,
      (select max(number) from lineage) as lineage
    from operation where marketplace_id = ${tx.marketplace} and id = any(${ids}) order by id desc`);
  return rows.map(readOperation);
}
