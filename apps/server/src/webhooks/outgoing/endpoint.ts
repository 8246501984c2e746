//! Endpoints of webhooks: the only SQL that writes them.
import { refuse } from '@holdfast/contract/errors';
import {
  type WebhookMove,
  type WebhookState,
  webhookMachine,
} from '@holdfast/contract/machines/webhook-machine';
import type { EventPattern } from '@holdfast/contract/records/webhook-records';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { WebhookEndpointId } from '@holdfast/kernel/ids';
import type { Tables } from '../../platform/database/generated/tables.ts';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import type { WrappedKey } from '../../providers/signing/key-wrapper.ts';

export interface WebhookEndpoint {
  readonly id: WebhookEndpointId;
  readonly url: string;
  readonly description: string | null;
  readonly types: readonly EventPattern[];
  readonly status: WebhookState;
  readonly pauseReason: string | null;
  readonly pausedAt: Instant | null;
  /** Null once it is disabled. */
  readonly secret: WrappedKey | null;
  readonly oldSecret: WrappedKey | null;
  readonly oldSecretUntil: Instant | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** With the position of its live lane. */
export interface EndpointDetail extends WebhookEndpoint {
  readonly failures: number;
  readonly failingSince: Instant | null;
  readonly nextTryAt: Instant | null;
  readonly lastDeliveredAt: Instant | null;
  readonly deliveredTo: string | null;
  readonly backlog: number;
  readonly openReplays: number;
}

/** A secret always has its key version. */
type EndpointRow = Row<
  'webhook_endpoint',
  Exclude<keyof Tables['webhook_endpoint'], 'marketplace_id'>,
  { id: WebhookEndpointId; types: EventPattern[] }
> &
  Record<'secret_key_version' | 'old_secret_key_version', string>;

export async function insertEndpoint(
  tx: Tx,
  wanted: Pick<WebhookEndpoint, 'id' | 'url' | 'description' | 'types'>,
  { version, bytes }: WrappedKey,
): Promise<void> {
  const now = instantText(tx.now);
  await tx.query(sql`
    insert into webhook_endpoint (marketplace_id, id, url, description, types, status, secret,
      secret_key_version, created_at, updated_at)
    values (${tx.marketplace}, ${wanted.id}, ${wanted.url}, ${wanted.description},
      ${wanted.types}, ${webhookMachine.initial}, ${bytes}, ${version}, ${now}, ${now})`);
}

/** The endpoints that are not disabled. */
export async function countEndpoints(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::int as count from webhook_endpoint
    where marketplace_id = ${tx.marketplace} and status <> 'DISABLED'`);
  return row?.count ?? 0;
}

export async function findEndpoint(
  tx: Tx,
  id: WebhookEndpointId,
): Promise<WebhookEndpoint | undefined> {
  const [row] = await tx.query<EndpointRow>(sql`
    select id, url, description, types, status, pause_reason, paused_at, secret,
      secret_key_version, old_secret, old_secret_key_version, old_secret_until, created_at,
      updated_at
    from webhook_endpoint where marketplace_id = ${tx.marketplace} and id = ${id}`);
  return row && readEndpoint(row);
}

/** Locks it against other changes until the transaction ends; refuses where none exists. */
export async function lockEndpoint(tx: Tx, id: WebhookEndpointId): Promise<WebhookEndpoint> {
  const [row] = await tx.query<EndpointRow>(sql`
    select id, url, description, types, status, pause_reason, paused_at, secret,
      secret_key_version, old_secret, old_secret_key_version, old_secret_until, created_at,
      updated_at
    from webhook_endpoint where marketplace_id = ${tx.marketplace} and id = ${id}
    for no key update`);
  return row === undefined
    ? refuse('WEBHOOK_ENDPOINT_NOT_FOUND', { webhookEndpointId: id })
    : readEndpoint(row);
}

/** Refuses where its state does not allow it. */
export function checkState({ id, status }: WebhookEndpoint, allowed: readonly WebhookState[]) {
  if (!allowed.includes(status))
    refuse('INVALID_STATE', {
      resource: 'webhookEndpoint',
      id,
      state: status,
      allowed: [...allowed],
    });
}

export const IN_USE: readonly WebhookState[] = webhookMachine.moves.disable.from;

/** The only statement that changes a status. A disabled endpoint keeps no secret. */
export async function moveEndpoint(
  tx: Tx,
  endpoint: WebhookEndpoint,
  move: WebhookMove,
  pauseReason: string | null = null,
): Promise<boolean> {
  const { from, to } = webhookMachine.moves[move];
  const moved = await tx.query(sql`
    update webhook_endpoint set status = ${to}, pause_reason = ${pauseReason},
      paused_at = case when ${to} = 'PAUSED' then ${instantText(tx.now)}::timestamptz end,
      secret = case when ${to} <> 'DISABLED' then secret end,
      old_secret = case when ${to} <> 'DISABLED' then old_secret end,
      old_secret_until = case when ${to} <> 'DISABLED' then old_secret_until end,
      updated_at = ${instantText(tx.now)}
    where marketplace_id = ${tx.marketplace} and id = ${endpoint.id} and status = any (${from})
    returning id`);
  return moved.length === 1;
}

export async function changeEndpoint(
  tx: Tx,
  { id }: WebhookEndpoint,
  to: Pick<WebhookEndpoint, 'url' | 'description' | 'types'>,
): Promise<void> {
  await tx.query(sql`
    update webhook_endpoint set url = ${to.url}, description = ${to.description},
      types = ${to.types}, updated_at = ${instantText(tx.now)}
    where marketplace_id = ${tx.marketplace} and id = ${id}`);
}

/** The present secret becomes the old one; the previous old one signs no more. */
export async function changeSecret(
  tx: Tx,
  { id }: WebhookEndpoint,
  { version, bytes }: WrappedKey,
  oldUntil: Instant,
): Promise<void> {
  await tx.query(sql`
    update webhook_endpoint set old_secret = secret, old_secret_key_version = secret_key_version,
      old_secret_until = ${instantText(oldUntil)}, secret = ${bytes},
      secret_key_version = ${version}, updated_at = ${instantText(tx.now)}
    where marketplace_id = ${tx.marketplace} and id = ${id}`);
}

type EndpointDetailRow = EndpointRow &
  Row<'webhook_lane', 'failures' | 'failing_since' | 'last_delivered_at'> & {
    next_try_at: Instant | null;
    delivered_to: string | null;
    backlog: number;
    open_replays: number;
  };

/** Newest first; one alone when an id is given. Disabled ones on request, or by their id. */
export async function listEndpointDetails(
  tx: Tx,
  which: { readonly id?: WebhookEndpointId; readonly status?: WebhookState | undefined },
  after: string | null,
  count: number,
): Promise<EndpointDetail[]> {
  const { id = null, status = null } = which;
  const rows = await tx.query<EndpointDetailRow>(sql`
    select e.id, e.url, e.description, e.types, e.status, e.pause_reason, e.paused_at, e.secret,
      e.secret_key_version, e.old_secret, e.old_secret_key_version, e.old_secret_until,
      e.created_at, e.updated_at, l.failures, l.failing_since, l.last_delivered_at,
      case when l.failures > 0 and e.status = 'ACTIVE' then l.next_try_at end as next_try_at,
      case when l.position > 0 then
        to_char(l.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') end
        as delivered_to,
      case when e.status = 'DISABLED' then 0
        else greatest(coalesce(h.position, 0) - l.position, 0)::float8 end as backlog,
      (select count(*)::int from webhook_lane r where r.marketplace_id = e.marketplace_id
        and r.endpoint_id = e.id and r.status = 'OPEN' and r.kind = 'REPLAY') as open_replays
    from webhook_endpoint e
    join webhook_lane l on l.marketplace_id = e.marketplace_id and l.id = e.id
    left join event_head h on h.marketplace_id = e.marketplace_id
    where e.marketplace_id = ${tx.marketplace} and (${id}::text is null or e.id = ${id})
      and (${after}::text is null or e.id < ${after})
      and (${id}::text is not null or e.status = ${status}
        or (${status}::text is null and e.status <> 'DISABLED'))
    order by e.id desc limit ${count}`);
  return rows.map((row) => ({
    ...readEndpoint(row),
    failures: row.failures,
    failingSince: row.failing_since,
    nextTryAt: row.next_try_at,
    lastDeliveredAt: row.last_delivered_at,
    deliveredTo: row.delivered_to,
    backlog: row.backlog,
    openReplays: row.open_replays,
  }));
}

export async function getEndpointDetail(tx: Tx, id: WebhookEndpointId): Promise<EndpointDetail> {
  const [detail] = await listEndpointDetails(tx, { id }, null, 1);
  return detail ?? refuse('WEBHOOK_ENDPOINT_NOT_FOUND', { webhookEndpointId: id });
}

function readEndpoint(row: EndpointRow): WebhookEndpoint {
  const { secret, old_secret: oldSecret } = row;
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    types: row.types,
    status: row.status,
    pauseReason: row.pause_reason,
    pausedAt: row.paused_at,
    secret: secret && { version: row.secret_key_version, bytes: secret },
    oldSecret: oldSecret && { version: row.old_secret_key_version, bytes: oldSecret },
    oldSecretUntil: row.old_secret_until,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
