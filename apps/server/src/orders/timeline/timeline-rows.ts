//! Reads the records about an order, source by source, for its timeline. For reading only.
import type { AuditAction } from '@holdfast/contract/audit-actions';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { OperationId, OrderId } from '@holdfast/kernel/ids';
import type { Tables } from '../../platform/database/generated/tables.ts';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';

/** Everything from a time on, inclusive, up to a maximum number of rows. */
export interface Since {
  readonly at: Instant;
  readonly count: number;
}

/** The order, its dispute and all of its escrows: the resources of its audit entries. */
export async function listResources(tx: Tx, orderId: OrderId): Promise<string[]> {
  const rows = await tx.query<{ id: string | null }>(sql`
    select after ->> 'escrowId' as id from audit
    where marketplace_id = ${tx.marketplace} and resource_id = ${orderId}
      and action = 'ESCROW_CREATE_REQUESTED'
    union all select dispute_id from orders
    where marketplace_id = ${tx.marketplace} and id = ${orderId}`);
  return [orderId, ...rows.flatMap(({ id }) => (id === null ? [] : [id]))];
}

export type AuditRow = Row<
  'audit',
  Exclude<keyof Tables['audit'], 'marketplace_id' | 'occurred_at' | 'resource_id' | 'entry_id'>,
  { action: AuditAction; before: Record<string, unknown>; after: Record<string, unknown> }
> & { readonly at: Instant };

export async function listAuditEntries(
  tx: Tx,
  resources: readonly string[],
  since: Since,
): Promise<AuditRow[]> {
  return tx.query<AuditRow>(sql`
    select id, occurred_at as at, action, resource_type, actor_type, actor_id, correlation_id,
      result, reason, before, after
    from audit
    where marketplace_id = ${tx.marketplace} and resource_id = any (${resources})
      and occurred_at >= ${instantText(since.at)}
    order by occurred_at, id limit ${since.count}`);
}

export type PostingRow = Row<'entry', 'id' | 'kind' | 'actor_id' | 'correlation_id'> &
  Row<'entry', 'amount' | 'currency' | 'from_bucket' | 'to_bucket'> &
  Record<'from_kind' | 'from_owner' | 'to_kind' | 'to_owner', string> & { readonly at: Instant };

export async function listPostings(tx: Tx, orderId: OrderId, since: Since): Promise<PostingRow[]> {
  return tx.query<PostingRow>(sql`
    select e.id, e.created_at as at, e.kind, e.amount, e.currency,
      f.kind as from_kind, f.owner_id as from_owner, e.from_bucket, t.kind as to_kind,
      t.owner_id as to_owner, e.to_bucket, e.actor_id, e.correlation_id
    from entry e
    join account f on f.marketplace_id = e.marketplace_id and f.id = e.from_account
    join account t on t.marketplace_id = e.marketplace_id and t.id = e.to_account
    where e.marketplace_id = ${tx.marketplace} and e.subject_id = ${orderId}
      and e.created_at >= ${instantText(since.at)}
    order by e.created_at, e.id limit ${since.count}`);
}

export type ProviderCallRow = Row<
  'operation_step',
  'operation_id' | 'name' | 'status' | 'ended_at',
  { operation_id: OperationId }
> & { readonly at: Instant; readonly code: string | null; readonly reason: string | null };

/** Steps that call a provider; only those have a purpose. */
export async function listProviderCalls(
  tx: Tx,
  operations: readonly OperationId[],
  since: Since,
): Promise<ProviderCallRow[]> {
  return tx.query<ProviderCallRow>(sql`
    select operation_id, started_at as at, name, status, ended_at, result ->> 'code' as code,
      result ->> 'reason' as reason
    from operation_step
    where marketplace_id = ${tx.marketplace} and operation_id = any (${operations})
      and purpose is not null and started_at >= ${instantText(since.at)}
    order by started_at, operation_id, name limit ${since.count}`);
}

export type NetworkTxRow = Row<
  'envelope',
  'hash' | 'attempt' | 'inner_hash' | 'state' | 'settled_at'
> & { readonly operation_id: OperationId; readonly step: string; readonly at: Instant };

/**
 * Envelopes of the steps, and of the transfers that covered the buyer's address for the funding.
 */
export async function listNetworkTxs(
  tx: Tx,
  operations: readonly OperationId[],
  since: Since,
): Promise<NetworkTxRow[]> {
  return tx.query<NetworkTxRow>(sql`
    select e.hash, e.created_at as at, wanted.operation_id, wanted.step, e.attempt, e.inner_hash,
      e.state, e.settled_at
    from (
      select operation_id, name as step, purpose from operation_step
      where marketplace_id = ${tx.marketplace} and operation_id = any (${operations})
        and purpose is not null
      union all
      select o.id, 'cover-' || number, o.kind || ':cover-' || number || ':' || o.id
      from operation o, generate_series(1, 20) as number
      where o.marketplace_id = ${tx.marketplace} and o.id = any (${operations})
        and o.kind = 'fund-escrow') wanted
    join envelope e on e.marketplace_id = ${tx.marketplace} and e.purpose = wanted.purpose
    where e.created_at >= ${instantText(since.at)}
    order by e.created_at, e.hash limit ${since.count}`);
}

export type WebhookRow = Row<
  'inbox',
  'provider' | 'event_type' | 'status' | 'attempts' | 'applied_at' | 'last_error' | 'correlation_id'
> & { readonly id: string; readonly at: Instant };

export async function listWebhooks(tx: Tx, orderId: OrderId, since: Since): Promise<WebhookRow[]> {
  return tx.query<WebhookRow>(sql`
    select provider_event_id as id, received_at as at, provider, event_type, status, attempts,
      applied_at, last_error, correlation_id
    from inbox
    where marketplace_id = ${tx.marketplace} and resource_id = ${orderId}
      and received_at >= ${instantText(since.at)}
    order by received_at, provider_event_id limit ${since.count}`);
}

/** The webhook that caused a change: the one whose request id the change carries. */
export async function findWebhookIds(
  tx: Tx,
  orderId: OrderId,
  requestIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await tx.query<{ id: string; correlation_id: string }>(sql`
    select provider_event_id as id, correlation_id from inbox
    where marketplace_id = ${tx.marketplace} and resource_id = ${orderId}
      and correlation_id = any (${requestIds})`);
  return new Map(rows.map(({ id, correlation_id }) => [correlation_id, id]));
}
