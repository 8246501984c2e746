//! Deliveries to endpoints with their outcomes: the only SQL that writes them.
import type { WEBHOOK_KINDS, WEBHOOK_OUTCOMES } from '@holdfast/contract/enums';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import {
  type EventId,
  newId,
  readId,
  type WebhookDeliveryId,
  type WebhookEndpointId,
  type WebhookReplayId,
} from '@holdfast/kernel/ids';
import type { Tables } from '../../platform/database/generated/tables.ts';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import type { Lane } from './lane.ts';

export interface Attempt {
  /** As the API returns it. */
  readonly at: string;
  readonly status: number | null;
  readonly latencyMs: number;
  readonly response: string | null;
  readonly reason: string | null;
}

/** One message and one attempt at it, as a lane run records it. */
export interface Attempted {
  readonly eventId: EventId;
  readonly eventType: string;
  readonly outcome: (typeof WEBHOOK_OUTCOMES)[number];
  readonly attempt: Attempt;
}

export interface Delivery extends Omit<Attempted, 'attempt'> {
  readonly id: WebhookDeliveryId;
  readonly endpointId: WebhookEndpointId;
  readonly kind: (typeof WEBHOOK_KINDS)[number];
  readonly replayId: WebhookReplayId | null;
  readonly attemptCount: number;
  readonly attempts: readonly Attempt[];
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** The number of stored attempts of a delivery; older ones are dropped. */
const ATTEMPTS_STORED = 20;

/** Many at once, each with one more attempt. */
export async function recordAttempts(
  tx: Tx,
  lane: Lane,
  attempted: readonly Attempted[],
): Promise<void> {
  if (attempted.length === 0) return;
  const rows = attempted.map((each) => ({ ...each, id: newId('whd', tx.now) }));
  const now = instantText(tx.now);
  await tx.query(sql`
    insert into webhook_delivery as d (marketplace_id, endpoint_id, id, lane_id, kind, event_id,
      event_type, outcome, attempt_count, attempts, created_at, updated_at)
    select ${tx.marketplace}, ${lane.endpointId}, r.id, ${lane.id}, ${lane.kind}, r."eventId",
      r."eventType", r.outcome, 1, jsonb_build_array(r.attempt), ${now}, ${now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r (id text, "eventId" text, "eventType" text, outcome text, attempt jsonb)
    on conflict (marketplace_id, lane_id, event_id) do update set outcome = excluded.outcome,
      attempt_count = d.attempt_count + 1, updated_at = excluded.updated_at,
      attempts = case when jsonb_array_length(d.attempts) < ${ATTEMPTS_STORED} then d.attempts
        else d.attempts - 0 end || excluded.attempts`);
}

export interface DeliveryFilter {
  readonly outcome?: Delivery['outcome'];
  readonly eventId?: EventId;
  readonly replayId?: WebhookReplayId;
}

type DeliveryRow = Row<
  'webhook_delivery',
  Exclude<keyof Tables['webhook_delivery'], 'marketplace_id'>,
  { id: WebhookDeliveryId; endpoint_id: WebhookEndpointId; event_id: EventId; attempts: Attempt[] }
>;

export async function listDeliveryRows(
  tx: Tx,
  endpointId: WebhookEndpointId,
  { outcome, eventId, replayId }: DeliveryFilter,
  after: string | null,
  count: number,
): Promise<Delivery[]> {
  const [wanted, event, lane] = [outcome ?? null, eventId ?? null, replayId ?? null];
  const rows = await tx.query<DeliveryRow>(sql`
    select id, endpoint_id, lane_id, kind, event_id, event_type, outcome, attempt_count, attempts,
      created_at, updated_at
    from webhook_delivery
    where marketplace_id = ${tx.marketplace} and endpoint_id = ${endpointId}
      and (${after}::text is null or id < ${after})
      and (${wanted}::text is null or outcome = ${wanted})
      and (${event}::text is null or event_id = ${event})
      and (${lane}::text is null or lane_id = ${lane})
    order by id desc limit ${count}`);
  return rows.map((row) => ({
    id: row.id,
    endpointId: row.endpoint_id,
    kind: row.kind,
    replayId: readId('whr', row.lane_id) ?? null,
    eventId: row.event_id,
    eventType: row.event_type,
    outcome: row.outcome,
    attemptCount: row.attempt_count,
    attempts: row.attempts,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }));
}
