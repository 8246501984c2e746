//! Lanes, the passes over the log: the only SQL that writes them. A worker writes under the epoch
//! and number of its lease.
import type { WEBHOOK_KINDS, WEBHOOK_REPLAY_STATUSES } from '@holdfast/contract/enums';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type {
  EventId,
  MarketplaceId,
  WebhookEndpointId,
  WebhookReplayId,
} from '@holdfast/kernel/ids';
import type pg from 'pg';
import type { RowNumber } from '../../platform/database/database.ts';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import { count } from '../../platform/telemetry/metrics.ts';
import type { LogPosition } from '../../record/events/event-log.ts';

/** The live lane of an endpoint has its id. */
export type LaneId = WebhookEndpointId | WebhookReplayId;

export interface NewLane {
  readonly id: LaneId;
  readonly endpointId: WebhookEndpointId;
  readonly kind: (typeof WEBHOOK_KINDS)[number];
  /** It starts after this event. */
  readonly logPosition: LogPosition;
  /** The last one; null where it continues with the log, or sends no event. */
  readonly untilPosition: number | null;
  readonly testEventId: EventId | null;
}

export interface Lane extends NewLane {
  readonly status: (typeof WEBHOOK_REPLAY_STATUSES)[number];
  readonly epoch: number;
  readonly attempt: number;
  readonly failures: number;
  readonly failingSince: Instant | null;
  readonly correlationId: string;
  readonly createdAt: Instant;
  /** The marketplace of the log, as envelopes name it. */
  readonly marketplaceId: MarketplaceId;
}

/** One lease of a lane. Once a newer one has started, this one writes nothing. */
export type LaneLease = Pick<Lane, 'id' | 'epoch' | 'attempt'>;

/** Thrown where a newer lease has started, or the lane must not run. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

type LaneRow = Row<
  'webhook_lane',
  'id' | 'endpoint_id' | 'kind' | 'status' | 'test_event_id' | 'epoch' | 'lease_no' | 'failures',
  { id: LaneId; endpoint_id: WebhookEndpointId; test_event_id: EventId }
> &
  Row<'webhook_lane', 'failing_since' | 'correlation_id' | 'created_at'> & {
    position: number;
    occurred_at: string;
    end_position: number | null;
    marketplace_public_id: MarketplaceId;
  };

export async function insertLane(tx: Tx, lane: NewLane): Promise<void> {
  const now = instantText(tx.now);
  await tx.query(sql`
    insert into webhook_lane (marketplace_id, id, endpoint_id, kind, status, position, occurred_at,
      end_position, test_event_id, epoch, lease_no, is_leased, next_try_at, heartbeat_at, failures,
      correlation_id, created_at)
    values (${tx.marketplace}, ${lane.id}, ${lane.endpointId}, ${lane.kind}, 'OPEN',
      ${lane.logPosition.position}, ${lane.logPosition.occurredAt}, ${lane.untilPosition},
      ${lane.testEventId}, 1, 0, false, ${now}, ${now}, 0, ${tx.requestId}, ${now})`);
}

/** Replays and tests of an endpoint that have not ended. */
export async function countOpenPasses(tx: Tx, endpointId: WebhookEndpointId): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::int as count from webhook_lane where marketplace_id = ${tx.marketplace}
      and endpoint_id = ${endpointId} and status = 'OPEN' and kind <> 'LIVE'`);
  return row?.count ?? 0;
}

export async function findLanePosition(tx: Tx, id: LaneId): Promise<LogPosition | undefined> {
  const [row] = await tx.query<{ position: number; occurred_at: string }>(sql`
    select position::float8 as position,
      to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as occurred_at
    from webhook_lane where marketplace_id = ${tx.marketplace} and id = ${id}`);
  return row && { position: row.position, occurredAt: row.occurred_at };
}

/**
 * Counts a new lease, which ends every earlier one. Undefined before its time, or when nothing may
 * be sent to the endpoint. A timer may be early by a little.
 */
export async function acquireLease(
  tx: Tx,
  { id, epoch }: Pick<Lane, 'id' | 'epoch'>,
  earlyMs: number,
): Promise<Lane | undefined> {
  const [row] = await tx.query<LaneRow>(sql`
    update webhook_lane l set lease_no = lease_no + 1, is_leased = true, heartbeat_at = ${instantText(tx.now)}
    from webhook_endpoint e, marketplace m
    where l.marketplace_id = ${tx.marketplace} and l.id = ${id} and l.epoch = ${epoch}
      and l.status = 'OPEN' and l.next_try_at <= ${instantText(tx.now + earlyMs)}
      and e.marketplace_id = l.marketplace_id and e.id = l.endpoint_id
      and (e.status = 'ACTIVE' or (e.status = 'PAUSED' and l.kind = 'TEST'))
      and m.id = l.marketplace_id
    returning l.id, l.endpoint_id, l.kind, l.status, l.position::float8 as position,
      to_char(l.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as occurred_at,
      l.end_position::float8 as end_position, l.test_event_id, l.epoch, l.lease_no, l.failures,
      l.failing_since, l.correlation_id, l.created_at, m.public_id as marketplace_public_id`);
  return row && readLane(row);
}

/** First in every transaction of a lease: a heartbeat, and proof that it still holds the lane. */
export async function renewLease(tx: Tx, { id, epoch, attempt }: LaneLease): Promise<void> {
  const fenced = await tx.query(sql`
    update webhook_lane set heartbeat_at = ${instantText(tx.now)}
    where marketplace_id = ${tx.marketplace} and id = ${id} and epoch = ${epoch}
      and lease_no = ${attempt} and status = 'OPEN'
    returning id`);
  if (fenced.length > 0) return;
  count('holdfast_fence_refusals_total', { rule: 'lane' });
  throw new LeaseLost(`another attempt has taken over ${id}`);
}

/** The three below run after `renewLease`, in its transaction: it has locked the row. */
export async function moveLane(
  tx: Tx,
  { id }: LaneLease,
  logPosition: LogPosition,
  hasDelivered: boolean,
): Promise<void> {
  await tx.query(sql`
    update webhook_lane set position = ${logPosition.position}, occurred_at = ${logPosition.occurredAt},
      failures = case when ${hasDelivered} then 0 else failures end,
      failing_since = case when ${hasDelivered} then null else failing_since end,
      last_delivered_at =
        case when ${hasDelivered} then ${instantText(tx.now)} else last_delivered_at end
    where marketplace_id = ${tx.marketplace} and id = ${id}`);
}

export async function postponeLane(tx: Tx, { id }: LaneLease, nextTryAt: Instant): Promise<void> {
  await tx.query(sql`
    update webhook_lane set failures = failures + 1, is_leased = false,
      failing_since = coalesce(failing_since, ${instantText(tx.now)}),
      next_try_at = ${instantText(nextTryAt)}
    where marketplace_id = ${tx.marketplace} and id = ${id}`);
}

export async function leaveLane(tx: Tx, { id }: LaneLease, status: Lane['status']): Promise<void> {
  await tx.query(sql`
    update webhook_lane set status = ${status}, is_leased = false
    where marketplace_id = ${tx.marketplace} and id = ${id}`);
}

/**
 * A new epoch for all lanes of an endpoint: a running lease stops at its next write, and the next
 * one reads the endpoint anew.
 */
export async function interruptLanes(tx: Tx, endpointId: WebhookEndpointId): Promise<void> {
  await tx.query(sql`
    update webhook_lane set epoch = epoch + 1, is_leased = false
    where marketplace_id = ${tx.marketplace} and endpoint_id = ${endpointId} and status = 'OPEN'`);
}

/** The same, and the next lease starts at once, as if nothing had ever failed. */
export async function refreshLanes(tx: Tx, endpointId: WebhookEndpointId): Promise<void> {
  await tx.query(sql`
    update webhook_lane set epoch = epoch + 1, is_leased = false, failures = 0,
      failing_since = null, next_try_at = ${instantText(tx.now)}
    where marketplace_id = ${tx.marketplace} and endpoint_id = ${endpointId} and status = 'OPEN'`);
}

/** A disabled endpoint has no pass to continue. */
export async function endPasses(tx: Tx, endpointId: WebhookEndpointId): Promise<void> {
  await tx.query(sql`
    update webhook_lane set status = 'FAILED', is_leased = false
    where marketplace_id = ${tx.marketplace} and endpoint_id = ${endpointId} and status = 'OPEN'
      and kind <> 'LIVE'`);
}

export interface DueLane {
  readonly marketplace: RowNumber;
  readonly id: LaneId;
  readonly epoch: number;
  readonly attempt: number;
  /** Its lease has been silent, or its next attempt is overdue. */
  readonly isLost: boolean;
}

export async function listDueLanes(
  pool: pg.Pool,
  count: number,
  at: Instant,
  silentSince: Instant,
): Promise<DueLane[]> {
  const { rows } = await pool.query<{
    marketplace_id: RowNumber;
    id: LaneId;
    epoch: number;
    attempt: number;
    is_lost: boolean;
  }>({
    name: 'webhook-lanes-due',
    text: `select marketplace_id, id, epoch, lease_no as attempt, is_lost
      from work.webhook_lanes_to_run($1, $2, $3)`,
    values: [count, instantText(at), instantText(silentSince)],
  });
  return rows.map(({ marketplace_id: marketplace, id, epoch, attempt, is_lost: isLost }) => ({
    ...{ marketplace, id, epoch, attempt, isLost },
  }));
}

/**
 * A new epoch: the holder of the old one can write no more. False when another worker was faster.
 */
export async function takeOverLane(tx: Tx, { id, epoch, attempt }: DueLane): Promise<boolean> {
  const taken = await tx.query(sql`
    update webhook_lane set epoch = epoch + 1, is_leased = false,
      heartbeat_at = ${instantText(tx.now)}
    where marketplace_id = ${tx.marketplace} and id = ${id} and epoch = ${epoch}
      and lease_no = ${attempt} and status = 'OPEN'
    returning id`);
  return taken.length === 1;
}

function readLane(row: LaneRow): Lane {
  return {
    id: row.id,
    endpointId: row.endpoint_id,
    kind: row.kind,
    status: row.status,
    logPosition: { position: row.position, occurredAt: row.occurred_at },
    untilPosition: row.end_position,
    testEventId: row.test_event_id,
    epoch: row.epoch,
    attempt: row.lease_no,
    failures: row.failures,
    failingSince: row.failing_since,
    correlationId: row.correlation_id,
    createdAt: row.created_at,
    marketplaceId: row.marketplace_public_id,
  };
}
