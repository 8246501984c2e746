//! The items of one marketplace that need an operator: capped counts, and the oldest few of each.

import { HOME_COUNTS_MAX } from '@holdfast/contract/limits';
import type { AttentionView } from '@holdfast/contract/records/insight-records';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import { type Query, sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';

type Item = Omit<AttentionView['items'][number], 'since'> & { readonly since: Instant };

export interface Attention {
  readonly kind: AttentionView['kind'];
  readonly severity: AttentionView['severity'];
  readonly count: number;
  readonly oldestAt: Instant | null;
  readonly items: readonly Item[];
}

interface Row {
  type: Item['type'];
  id: string;
  title: string;
  since: Instant;
  count: number;
}

/** Counting stops here: a larger number changes no decision. */
const COUNT_MAX = HOME_COUNTS_MAX.attention;
const ITEMS_MAX = 5;
/** A shorter open outcome is normal with providers. */
const UNKNOWN_MS = 60_000;

export async function listAttention(tx: Tx): Promise<Attention[]> {
  const queries: [AttentionView['kind'], AttentionView['severity'], Query | undefined][] = [
    ['PAYOUTS_PAUSED', 'critical', paused()],
    ['OPERATION_ESCALATED', 'critical', escalated(tx)],
    ['OPERATION_UNKNOWN', 'warning', unknown(tx)],
    ['EXCEPTION_OPEN', 'warning', exceptions(tx)],
    ['NOTIFICATION_PARKED', 'warning', parked(tx)],
    ['APPROVAL_PENDING', 'warning', approvals(tx)],
    ['WEBHOOK_ENDPOINT_FAILING', 'warning', (await hasWebhooks(tx)) ? failing(tx) : undefined],
    ['DISPUTE_OPEN', 'info', disputes(tx)],
    ['WITHDRAWAL_NEEDS_ACTION', 'info', awaitingUser(tx)],
  ];
  const found: Attention[] = [];
  for (const [kind, severity, query] of queries) {
    const rows = query === undefined ? [] : await tx.query<Row>(query);
    const [oldest] = rows;
    if (oldest === undefined) continue;
    const items = rows.map(({ type, id, title, since }) => ({ type, id, title, since }));
    found.push({ kind, severity, count: oldest.count, oldestAt: oldest.since, items });
  }
  return found;
}

/** One pause for the whole deployment. */
const paused = () => sql`
  select 'Payouts' as type, 'payouts' as id, reason as title, paused_at as since, 1 as count
  from payouts_pause where paused_at is not null`;

/** Open ones are few and read by their key: a join would read all that ever existed. */
const escalated = (tx: Tx) => sql`
  with open as (
    select o.id, o.kind, o.escalated_at from open_operation w
    cross join lateral (select id, kind, escalated_at, status from operation
      where marketplace_id = w.marketplace_id and id = w.operation_id limit 1) o
    where w.marketplace_id = ${tx.marketplace} and o.status = 'ESCALATED' limit ${COUNT_MAX})
  select 'Operation' as type, id, kind as title, escalated_at as since, count(*) over ()::int as count
  from open order by escalated_at limit ${ITEMS_MAX}`;

const unknown = (tx: Tx) => sql`
  with open as (
    select o.id, o.kind, o.created_at from open_operation w
    cross join lateral (select id, kind, status, attempts, created_at from operation
      where marketplace_id = w.marketplace_id and id = w.operation_id limit 1) o
    where w.marketplace_id = ${tx.marketplace} and o.status = 'RUNNING' and o.attempts > 0
      and o.created_at < ${instantText(tx.now - UNKNOWN_MS)} limit ${COUNT_MAX})
  select 'Operation' as type, id, kind as title, created_at as since, count(*) over ()::int as count
  from open order by created_at limit ${ITEMS_MAX}`;

const disputes = (tx: Tx) => sql`
  with open as (
    select id, reason, created_at from dispute
    where marketplace_id = ${tx.marketplace} and resolved_at is null
    order by id limit ${COUNT_MAX})
  select 'Dispute' as type, id, reason as title, created_at as since, count(*) over ()::int as count
  from open order by id limit ${ITEMS_MAX}`;

const exceptions = (tx: Tx) => sql`
  with open as (
    select id, cause, created_at from reconciliation_exception
    where marketplace_id = ${tx.marketplace} and status = 'OPEN' limit ${COUNT_MAX})
  select 'ReconciliationException' as type, id, cause as title, created_at as since,
    count(*) over ()::int as count
  from open order by id limit ${ITEMS_MAX}`;

const parked = (tx: Tx) => sql`
  with open as (
    select id, event_type, received_at from inbox
    where marketplace_id = ${tx.marketplace} and status = 'PARKED' order by id limit ${COUNT_MAX})
  select 'ProviderNotification' as type, id, event_type as title, received_at as since,
    count(*) over ()::int as count
  from open order by id limit ${ITEMS_MAX}`;

const awaitingUser = (tx: Tx) => sql`
  with open as (
    select id, coalesce(action_required, 'Recipient action required') as title, created_at
    from withdrawal
    where status = 'WITHDRAWAL_PENDING_USER_ACTION' and marketplace_id = ${tx.marketplace}
    order by id limit ${COUNT_MAX})
  select 'Withdrawal' as type, id, title, created_at as since, count(*) over ()::int as count
  from open order by id limit ${ITEMS_MAX}`;

/** A request past its deadline is no longer pending. */
const approvals = (tx: Tx) => sql`
  with open as (
    select id, action, created_at from approval
    where marketplace_id = ${tx.marketplace} and status = 'PENDING'
      and expires_at > ${instantText(tx.now)}
    order by id limit ${COUNT_MAX})
  select 'Approval' as type, id, action as title, created_at as since,
    count(*) over ()::int as count
  from open order by id limit ${ITEMS_MAX}`;

/** Outbound webhooks are a separate feature, which a deployment may not have yet. */
export async function hasWebhooks(tx: Tx): Promise<boolean> {
  const [row] = await tx.query<{ has: boolean }>(sql`
    select to_regclass('public.webhook_lane') is not null as has`);
  return row?.has === true;
}

const failing = (tx: Tx) => sql`
  with failing as (
    select e.id, e.url, l.failing_since from webhook_lane l
    join webhook_endpoint e on e.marketplace_id = l.marketplace_id and e.id = l.endpoint_id
    where l.marketplace_id = ${tx.marketplace} and l.status = 'OPEN' and l.kind = 'LIVE'
      and l.failing_since is not null limit ${COUNT_MAX})
  select 'WebhookEndpoint' as type, id, url as title, failing_since as since,
    count(*) over ()::int as count
  from failing order by failing_since limit ${ITEMS_MAX}`;
