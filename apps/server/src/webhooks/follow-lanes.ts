//! Has lanes driven that have something to send: a background job, whatever became of Restate.
import { setTimeout as sleep } from 'node:timers/promises';
import { SILENT_MS } from '../engine/sweep-operations.ts';
import { systemCall } from '../platform/call.ts';
import { type Tx, transact } from '../platform/transact.ts';
import { type LaneRequest, laneObjectName } from './deliver-events.ts';
import { type DueLane, listDueLanes, takeOverLane } from './lane.ts';
import type { WebhookApp } from './webhook-app.ts';

const LANES_MAX = 200;
/** While Restate is away there is no hurry. */
const AWAY_MS = 1000;

/**
 * Any number of workers: the same lane under the same epoch and turn is one message for Restate,
 * and only one of them raises the epoch of a lane whose turn was lost. Tells how many were.
 */
export async function followLanes(app: WebhookApp): Promise<number> {
  if (app.webhooks.keys === undefined) return 0;
  const now = app.clock.now();
  const due = await listDueLanes(app.pool, LANES_MAX, now, now - SILENT_MS);
  if (due.length === 0 || (await app.engine.isUp()) === null) return 0;
  const told = await Promise.all(due.map((lane) => tell(app, lane)));
  if (told.includes('away')) await sleep(AWAY_MS);
  return told.filter((each) => each === 'taken over').length;
}

async function tell(app: WebhookApp, lane: DueLane): Promise<'told' | 'taken over' | 'away'> {
  const { marketplace, id, isLost } = lane;
  try {
    const takeOver = (tx: Tx) => takeOverLane(tx, lane);
    if (isLost && !(await transact(app, systemCall(marketplace), takeOver, 'read committed')))
      return 'told';
    const epoch = isLost ? lane.epoch + 1 : lane.epoch;
    if (isLost) app.log.warn({ laneId: id, epoch }, 'take over lane');
    const parameter: LaneRequest = { marketplace, laneId: id, epoch };
    const idempotencyKey = `${id}:${epoch}:${lane.turn}`;
    await app.engine.send({
      service: laneObjectName(app.cell),
      key: id,
      parameter,
      idempotencyKey,
    });
    return isLost ? 'taken over' : 'told';
  } catch (error) {
    // It stays due, and is found again.
    app.log.warn({ laneId: id, reason: (error as Error).message }, 'fail asking for lane');
    return 'away';
  }
}
