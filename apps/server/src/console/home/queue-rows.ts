//! The queue lengths of one marketplace. Counting stops at 10,000.
import type { Instant } from '@holdfast/kernel/clock';
import type { Row } from '../../platform/database/row.ts';
import { type Query, sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import { hasWebhooks } from './attention-rows.ts';

export interface Waiting {
  readonly name: string;
  readonly description: string;
  readonly waiting: number;
  readonly isCapped: boolean;
  readonly oldestAt: Instant | null;
}

const COUNT_MAX = 10_000;

export async function listQueues(tx: Tx): Promise<Waiting[]> {
  const queues: [name: string, means: string, query: Query][] = [
    ['events', 'Events and audit records not yet in the log', outbox(tx)],
    ['inbox', 'Provider notifications not yet processed', inbox(tx)],
    ['operations', 'Operations in progress', operations(tx)],
    ['mirror', 'User addresses whose blockchain balance does not match the books yet', mirror(tx)],
    ['wallets', 'Wallets not yet created on the blockchain', wallets(tx)],
    ['topups', 'Top-ups in progress', topups(tx)],
    ['withdrawals', 'Withdrawals in progress', withdrawals(tx)],
  ];
  if (await hasWebhooks(tx))
    queues.push(['webhooks', 'Events not yet delivered to webhook endpoints', webhooks(tx)]);
  const found: Waiting[] = [];
  for (const [name, description, query] of queues) {
    const [row] = await tx.query<{ waiting: number; oldest_at: Instant | null }>(query);
    const { waiting = 0, oldest_at: oldestAt = null } = row ?? {};
    found.push({ name, description, waiting, isCapped: waiting >= COUNT_MAX, oldestAt });
  }
  return found;
}

/** An outbox row has no time: it lives for a moment. */
const outbox = (tx: Tx) => sql`
  select count(*)::int as waiting, null::timestamptz as oldest_at
  from (select from outbox where marketplace_id = ${tx.marketplace} limit ${COUNT_MAX}) as found`;

const inbox = (tx: Tx) => sql`
  select count(*)::int as waiting, min(received_at) as oldest_at
  from (select received_at from inbox where status = 'PENDING'
    and marketplace_id = ${tx.marketplace} limit ${COUNT_MAX}) as found`;

const operations = (tx: Tx) => sql`
  select count(*)::int as waiting, min(created_at) as oldest_at
  from (select o.created_at from open_operation w
    cross join lateral (select created_at from operation
      where marketplace_id = w.marketplace_id and id = w.operation_id limit 1) o
    where w.marketplace_id = ${tx.marketplace} limit ${COUNT_MAX}) as found`;

const mirror = (tx: Tx) => sql`
  select count(*)::int as waiting, min(created_at) as oldest_at
  from (select created_at from mirror_queue where marketplace_id = ${tx.marketplace}
    order by id limit ${COUNT_MAX}) as found`;

const wallets = (tx: Tx) => sql`
  select count(*)::int as waiting, min(created_at) as oldest_at
  from (select created_at from wallet where status <> 'READY'
    and marketplace_id = ${tx.marketplace} limit ${COUNT_MAX}) as found`;

const topups = (tx: Tx) => sql`
  select count(*)::int as waiting, min(since) as oldest_at
  from (select since from topup_poll where marketplace_id = ${tx.marketplace}
    limit ${COUNT_MAX}) as found`;

const withdrawals = (tx: Tx) => sql`
  select count(*)::int as waiting, min(created_at) as oldest_at
  from (select created_at from withdrawal
    where status not in ('WITHDRAWAL_COMPLETED', 'WITHDRAWAL_FAILED', 'WITHDRAWAL_CANCELED')
      and marketplace_id = ${tx.marketplace} limit ${COUNT_MAX}) as found`;

const webhooks = (tx: Tx) => sql`
  select least(${COUNT_MAX}, coalesce(sum(h.position - l.position), 0))::int as waiting,
    min(l.failing_since) as oldest_at
  from webhook_lane l join event_head h on h.marketplace_id = l.marketplace_id
  where l.marketplace_id = ${tx.marketplace} and l.status = 'OPEN' and l.kind = 'LIVE'`;

export interface LogEnd {
  readonly position: string;
  readonly lastAt: Instant | null;
}

export async function findLogEnd(tx: Tx): Promise<LogEnd> {
  const [row] = await tx.query<Row<'event_head', 'position' | 'occurred_at'>>(sql`
    select position, occurred_at from event_head where marketplace_id = ${tx.marketplace}`);
  return { position: row?.position ?? '0', lastAt: row?.occurred_at ?? null };
}

/** Of the newest migration. */
export async function findLevel(tx: Tx): Promise<string> {
  const [row] = await tx.query<{ name: string }>(sql`
    select max(name) as name from schema_migration`);
  return row?.name ?? '';
}
