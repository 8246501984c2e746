//! Dispatches lanes that have events to send: a background job that works even after Restate lost
//! its state.
import { setTimeout as sleep } from 'node:timers/promises';
import { SILENT_MS } from '../../engine/sweep-operations.ts';
import { systemCall } from '../../platform/call.ts';
import { type Tx, transact } from '../../platform/database/transact.ts';
import { type LaneRequest, laneObjectName } from './deliver-events.ts';
import { type DueLane, listDueLanes, takeOverLane } from './lane.ts';
import type { WebhookApp } from './webhook-app.ts';

const LANES_MAX = 200;
/** The pause while Restate is unavailable. */
const AWAY_MS = 1000;

/**
 * Any number of workers: the same lane under the same epoch and lease is one message for Restate,
 * and only one increments the epoch of a lost lane. Returns how many were reclaimed.
 */
export async function dispatchWebhookLanes(app: WebhookApp): Promise<number> {
  if (app.webhooks.keys === undefined) return 0;
  const now = app.clock.now();
  const due = await listDueLanes(app.pool, LANES_MAX, now, now - SILENT_MS);
  if (due.length === 0 || (await app.engine.isUp()) === null) return 0;
  const outcomes = await Promise.all(due.map((lane) => dispatch(app, lane)));
  if (outcomes.includes('away')) await sleep(AWAY_MS);
  return outcomes.filter((each) => each === 'taken over').length;
}

async function dispatch(
  app: WebhookApp,
  lane: DueLane,
): Promise<'dispatched' | 'taken over' | 'away'> {
  const { marketplace, id, isLost } = lane;
  try {
    const takeOver = (tx: Tx) => takeOverLane(tx, lane);
    if (isLost && !(await transact(app, systemCall(marketplace), takeOver, 'read committed')))
      return 'dispatched';
    const epoch = isLost ? lane.epoch + 1 : lane.epoch;
    if (isLost) app.log.warn({ laneId: id, epoch }, 'webhook lane reclaimed');
    const parameter: LaneRequest = { marketplace, laneId: id, epoch };
    const idempotencyKey = `${id}:${epoch}:${lane.attempt}`;
    await app.engine.send({
      service: laneObjectName(app.cell),
      key: id,
      parameter,
      idempotencyKey,
    });
    return isLost ? 'taken over' : 'dispatched';
  } catch (error) {
    // It stays due, and the next run finds it again.
    app.log.warn({ laneId: id, err: error }, 'webhook lane not dispatched');
    return 'away';
  }
}
