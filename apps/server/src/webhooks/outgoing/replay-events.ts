//! Sends events once more, in a separate lane: POST /webhook-endpoints/{webhookEndpointId}/replay.
//!
//! The live lane is not touched: it continues with new events while the replay sends past ones.

import type { WEBHOOK_KINDS, WEBHOOK_REPLAY_STATUSES } from '@holdfast/contract/enums';
import { refuse } from '@holdfast/contract/errors';
import { WEBHOOK_REPLAYS_MAX } from '@holdfast/contract/limits';
import { refuseField } from '@holdfast/contract/validation';
import { assert } from '@holdfast/kernel/assert';
import { type Instant, microsText } from '@holdfast/kernel/clock';
import {
  type EventId,
  microsOf,
  newId,
  type WebhookEndpointId,
  type WebhookReplayId,
} from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { type Tx, transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { findCursor } from '../../record/events/cursor.ts';
import { findLogPosition, isLogged, type LogPosition } from '../../record/events/event-log.ts';
import { checkState, IN_USE, lockEndpoint } from './endpoint.ts';
import { countOpenPasses, findLanePosition, insertLane } from './lane.ts';
import type { WebhookApp } from './webhook-app.ts';

export interface ReplayInput {
  readonly eventId?: EventId;
  /** A cursor: every event after it. */
  readonly since?: string;
}

export interface Replay {
  readonly id: WebhookReplayId;
  readonly endpointId: WebhookEndpointId;
  readonly kind: (typeof WEBHOOK_KINDS)[number];
  readonly status: (typeof WEBHOOK_REPLAY_STATUSES)[number];
  readonly createdAt: Instant;
}

export async function replayEvents(
  app: WebhookApp,
  call: Call,
  endpointId: WebhookEndpointId,
  { eventId, since }: ReplayInput,
): Promise<Replay> {
  if ((eventId === undefined) === (since === undefined))
    refuseField('eventId', 'conflict', 'exactly one of eventId and since is required');
  const retention = app.config.HOLDFAST_EVENT_RETENTION_DAYS;
  const start = async (tx: Tx): Promise<Replay> => {
    await checkRoom(tx, endpointId);
    const { from, until } =
      eventId === undefined
        ? await passSince(tx, endpointId, since ?? '', retention)
        : await passOver(tx, eventId);
    const id = newId('whr', tx.now);
    const lane = {
      id,
      endpointId,
      kind: 'REPLAY',
      logPosition: from,
      untilPosition: until,
    } as const;
    await insertLane(tx, { ...lane, testEventId: null });
    const after = { replayId: id, eventId, since, events: until - from.position };
    await audit(tx, { action: 'WEBHOOK_REPLAY_STARTED', resourceId: endpointId, after });
    return { id, endpointId, kind: 'REPLAY', status: 'OPEN', createdAt: tx.now };
  };
  return transact(app, call, start, 'read committed');
}

/** Locks the endpoint, so that each of many concurrent requests is counted. */
export async function checkRoom(tx: Tx, endpointId: WebhookEndpointId): Promise<void> {
  checkState(await lockEndpoint(tx, endpointId), IN_USE);
  if ((await countOpenPasses(tx, endpointId)) >= WEBHOOK_REPLAYS_MAX)
    refuse('WEBHOOK_LIMIT', { of: 'replays', maximum: WEBHOOK_REPLAYS_MAX });
}

interface Pass {
  readonly from: LogPosition;
  readonly until: number;
}

/** One event, whether it was delivered before or not. */
async function passOver(tx: Tx, eventId: EventId): Promise<Pass> {
  const micros = microsOf(eventId);
  if (!(await isLogged(tx, eventId, microsText(micros)))) refuse('EVENT_NOT_FOUND', { eventId });
  const { position } = await findLogPosition(tx, microsText(micros));
  return { from: { position: position - 1, occurredAt: microsText(micros - 1) }, until: position };
}

/** Up to the position of the live lane, which sends the events after it itself, in order. */
async function passSince(
  tx: Tx,
  endpointId: WebhookEndpointId,
  since: string,
  retention: number,
): Promise<Pass> {
  const { logPosition: from, retainedSince } = await findCursor(tx, since, retention);
  if (retainedSince !== null) refuse('CURSOR_EXPIRED', { retainedSince });
  const live = await findLanePosition(tx, endpointId);
  assert(live !== undefined, 'an endpoint has a live lane');
  return { from, until: Math.max(from.position, live.position) };
}
