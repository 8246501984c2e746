//! Drives a lane for one turn, when Restate asks for it. What is due is said by PostgreSQL.
import type { DrivenObject } from '../engine/restate-endpoint.ts';
import { systemCall } from '../platform/call.ts';
import { isDatabaseAway, type RowNumber } from '../platform/database.ts';
import { type Tx, transact } from '../platform/transact.ts';
import { findEndpoint, type WebhookEndpoint } from './endpoint.ts';
import { beginTurn, type Lane, type LaneId, TurnOver } from './lane.ts';
import { type LaneAnswer, LaneTurn } from './lane-turn.ts';
import { openSecret } from './secret.ts';
import type { WebhookApp } from './webhook-app.ts';

/** Which lane, as seen by whoever asks: under a newer epoch there is nothing to do. */
export interface LaneRequest {
  readonly marketplace: RowNumber;
  readonly laneId: LaneId;
  readonly epoch: number;
}

const OVER: LaneAnswer = { kind: 'over' };
/** What is under way when a worker stops has so long to end. */
const STOP_MS = 3000;
const HEARTBEAT_MS = 3000;
/** A timer of Restate's may fire so much before our own clock says so. */
const EARLY_MS = 100;

/** Each cell has a service of its own, should two share one Restate. */
export function laneObjectName(cell: string): string {
  return `webhook-lane-${cell}`;
}

/** Keyed by lane, so that each is driven by one worker at a time, and all of them side by side. */
export function laneObject(app: WebhookApp): DrivenObject {
  const [stopping, breaking] = [new AbortController(), new AbortController()];
  const ending = { stopping: stopping.signal, breaking: breaking.signal };
  return {
    name: laneObjectName(app.cell),
    drive: (request: LaneRequest) => deliverEvents(app, request, ending),
    remembersSeconds: 2,
    stop: () => {
      stopping.abort();
      setTimeout(() => breaking.abort(), STOP_MS).unref();
    },
  };
}

/** How a worker that stops has turns come to their end. */
export interface Ending {
  readonly stopping: AbortSignal;
  readonly breaking: AbortSignal;
}

/** Throws only when the database is away: then whoever asked asks again. */
export async function deliverEvents(
  app: WebhookApp,
  { marketplace, laneId, epoch }: LaneRequest,
  ending: Ending,
): Promise<LaneAnswer> {
  const call = systemCall(marketplace);
  const begin = (tx: Tx) => beginWith(tx, laneId, epoch);
  const begun = await transact(app, call, begin, 'read committed');
  const { keys } = app.webhooks;
  if (begun === undefined || keys === undefined) return OVER;
  const { lane, endpoint } = begun;
  const overtaken = new AbortController();
  const signal = AbortSignal.any([ending.breaking, overtaken.signal]);
  const stopping = AbortSignal.any([ending.stopping, signal]);
  const secrets: Uint8Array[] = [];
  const turn = new LaneTurn(app, call, { lane, endpoint, secrets, stopping, signal });
  const beating = setInterval(() => {
    turn.beat().catch((error: Error) => {
      if (error instanceof TurnOver) overtaken.abort();
    });
  }, HEARTBEAT_MS);
  try {
    for (const sealed of [endpoint.secret, endpoint.oldSecret])
      if (sealed !== null) secrets.push(await openSecret(keys, endpoint.id, sealed));
    return lane.kind === 'TEST'
      ? await turn.sendTest()
      : await follow(app, turn, marketplace, lane);
  } catch (error) {
    if (error instanceof TurnOver) return OVER;
    if (isDatabaseAway(error)) throw error;
    return await giveUp(app, turn, laneId, error as Error);
  } finally {
    clearInterval(beating);
    for (const secret of secrets) secret.fill(0);
  }
}

async function beginWith(
  tx: Tx,
  id: LaneId,
  epoch: number,
): Promise<{ lane: Lane; endpoint: WebhookEndpoint } | undefined> {
  const lane = await beginTurn(tx, { id, epoch }, EARLY_MS);
  const endpoint = lane && (await findEndpoint(tx, lane.endpointId));
  return lane && endpoint && { lane, endpoint };
}

async function follow(
  app: WebhookApp,
  turn: LaneTurn,
  marketplace: RowNumber,
  { marketplaceId }: Lane,
): Promise<LaneAnswer> {
  const following = await app.hub.follow(marketplace, marketplaceId);
  try {
    return await turn.deliver(following.feed);
  } finally {
    following.leave();
  }
}

/** A bug, or a key that is not configured any more: said loudly, and tried again ever later. */
async function giveUp(
  app: WebhookApp,
  turn: LaneTurn,
  laneId: LaneId,
  { message: reason, stack }: Error,
): Promise<LaneAnswer> {
  app.log.error({ laneId, reason, stack }, 'fail webhook');
  try {
    return await turn.postpone();
  } catch (error) {
    if (error instanceof TurnOver) return OVER;
    throw error;
  }
}
