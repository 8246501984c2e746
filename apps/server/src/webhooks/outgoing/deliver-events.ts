//! Executes one lease of a lane, when Restate calls it. PostgreSQL decides what is due.
import type { VirtualObject } from '../../engine/restate-endpoint.ts';
import { systemCall } from '../../platform/call.ts';
import { isDatabaseAway, type RowNumber } from '../../platform/database/database.ts';
import { type Tx, transact } from '../../platform/database/transact.ts';
import { findEndpoint, type WebhookEndpoint } from './endpoint.ts';
import { acquireLease, type Lane, type LaneId, LeaseLost } from './lane.ts';
import { type LaneResult, LaneRun } from './lane-run.ts';
import { openSecret } from './signing-secret.ts';
import type { WebhookApp } from './webhook-app.ts';

/** The lane, as the dispatcher saw it: under a newer epoch there is nothing to do. */
export interface LaneRequest {
  readonly marketplace: RowNumber;
  readonly laneId: LaneId;
  readonly epoch: number;
}

const OVER: LaneResult = { kind: 'over' };
/** The time that requests in flight have to end when a worker stops. */
const STOP_MS = 3000;
const HEARTBEAT_MS = 3000;
/** A timer of Restate may fire this much before our own clock reaches it. */
const EARLY_MS = 100;

/** Each cell has a service of its own, should two share one Restate. */
export function laneObjectName(cell: string): string {
  return `webhook-lane-${cell}`;
}

/** Keyed by lane: one worker at a time executes each, and all of them run in parallel. */
export function laneObject(app: WebhookApp): VirtualObject {
  const [stopping, breaking] = [new AbortController(), new AbortController()];
  const ending = { stopping: stopping.signal, breaking: breaking.signal };
  return {
    name: laneObjectName(app.cell),
    execute: (request: LaneRequest) => deliverEvents(app, request, ending),
    retentionSeconds: 2,
    stop: () => {
      stopping.abort();
      setTimeout(() => breaking.abort(), STOP_MS).unref();
    },
  };
}

/** How a stopping worker ends its leases. */
export interface Ending {
  readonly stopping: AbortSignal;
  readonly breaking: AbortSignal;
}

/** Throws only when the database is unavailable: then Restate calls again. */
export async function deliverEvents(
  app: WebhookApp,
  { marketplace, laneId, epoch }: LaneRequest,
  ending: Ending,
): Promise<LaneResult> {
  const call = systemCall(marketplace);
  const start = (tx: Tx) => startWith(tx, laneId, epoch);
  const started = await transact(app, call, start, 'read committed');
  const { keys } = app.webhooks;
  if (started === undefined || keys === undefined) return OVER;
  const { lane, endpoint } = started;
  const overtaken = new AbortController();
  const signal = AbortSignal.any([ending.breaking, overtaken.signal]);
  const stopping = AbortSignal.any([ending.stopping, signal]);
  const secrets: Uint8Array[] = [];
  const run = new LaneRun(app, call, { lane, endpoint, secrets, stopping, signal });
  const heartbeats = setInterval(() => {
    run.heartbeat().catch((error: Error) => {
      if (error instanceof LeaseLost) overtaken.abort();
    });
  }, HEARTBEAT_MS);
  try {
    for (const sealed of [endpoint.secret, endpoint.oldSecret])
      if (sealed !== null) secrets.push(await openSecret(keys, endpoint.id, sealed));
    return lane.kind === 'TEST'
      ? await run.sendTest()
      : await deliverFromFeed(app, run, marketplace, lane);
  } catch (error) {
    if (error instanceof LeaseLost) return OVER;
    if (isDatabaseAway(error)) throw error;
    return await stopDelivery(app, run, laneId, error as Error);
  } finally {
    clearInterval(heartbeats);
    for (const secret of secrets) secret.fill(0);
  }
}

async function startWith(
  tx: Tx,
  id: LaneId,
  epoch: number,
): Promise<{ lane: Lane; endpoint: WebhookEndpoint } | undefined> {
  const lane = await acquireLease(tx, { id, epoch }, EARLY_MS);
  const endpoint = lane && (await findEndpoint(tx, lane.endpointId));
  return lane && endpoint && { lane, endpoint };
}

async function deliverFromFeed(
  app: WebhookApp,
  run: LaneRun,
  marketplace: RowNumber,
  { marketplaceId }: Lane,
): Promise<LaneResult> {
  const tracked = await app.hub.track(marketplace, marketplaceId);
  try {
    return await run.deliver(tracked.feed);
  } finally {
    tracked.leave();
  }
}

/** A bug, or a key that is not configured any more: logged as an error, and retried ever later. */
async function stopDelivery(
  app: WebhookApp,
  run: LaneRun,
  laneId: LaneId,
  err: Error,
): Promise<LaneResult> {
  app.log.error({ laneId, err }, 'webhook delivery failed');
  try {
    return await run.postpone();
  } catch (error) {
    if (error instanceof LeaseLost) return OVER;
    throw error;
  }
}
