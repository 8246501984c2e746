//! Sends events once more, in a pass of its own:
//! POST /webhook-endpoints/{webhookEndpointId}/replay.
//!
//! The live lane is not touched: it goes on with what is new while the replay goes over what was.
import { refuse } from '@holdfast/contract/errors';
import { WEBHOOK_REPLAYS_MAX } from '@holdfast/contract/limits';
import type { WEBHOOK_KINDS, WEBHOOK_REPLAY_STATUSES } from '@holdfast/contract/words';
import { assert } from '@holdfast/kernel/assert';
import { type Instant, microsText } from '@holdfast/kernel/clock';
import {
  type EventId,
  microsOf,
  newId,
  type WebhookEndpointId,
  type WebhookReplayId,
} from '@holdfast/kernel/ids';
import { audit } from '../audit/audit-entry.ts';
import { findCursor } from '../events/cursor.ts';
import { findPlace, isLogged, type Place } from '../events/event-log.ts';
import type { Call } from '../platform/call.ts';
import { type Tx, transact } from '../platform/transact.ts';
import { checkState, IN_USE, lockEndpoint } from './endpoint.ts';
import { countOpenPasses, insertLane, placeOfLane } from './lane.ts';
import type { WebhookApp } from './webhook-app.ts';

export interface ReplayWish {
  readonly eventId?: EventId;
  /** A cursor: everything behind it. */
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
  { eventId, since }: ReplayWish,
): Promise<Replay> {
  if ((eventId === undefined) === (since === undefined))
    refuse('VALIDATION_ERROR', { validationErrors: ['name either eventId or since'] });
  const retention = app.config.HOLDFAST_EVENT_RETENTION_DAYS;
  const begin = async (tx: Tx): Promise<Replay> => {
    await checkRoom(tx, endpointId);
    const { from, until } =
      eventId === undefined
        ? await passSince(tx, endpointId, since ?? '', retention)
        : await passOver(tx, eventId);
    const id = newId('whr');
    const lane = { id, endpointId, kind: 'REPLAY', place: from, untilPosition: until } as const;
    await insertLane(tx, { ...lane, testEventId: null });
    const after = { replayId: id, eventId, since, events: until - from.position };
    await audit(tx, { action: 'WEBHOOK_REPLAY_STARTED', resourceId: endpointId, after });
    return { id, endpointId, kind: 'REPLAY', status: 'OPEN', createdAt: tx.now };
  };
  return transact(app, call, begin, 'read committed');
}

/** Locks the endpoint: of many that ask at once each is counted. */
export async function checkRoom(tx: Tx, endpointId: WebhookEndpointId): Promise<void> {
  checkState(await lockEndpoint(tx, endpointId), IN_USE);
  if ((await countOpenPasses(tx, endpointId)) >= WEBHOOK_REPLAYS_MAX)
    refuse('WEBHOOK_LIMIT', { of: 'replays', maximum: WEBHOOK_REPLAYS_MAX });
}

interface Pass {
  readonly from: Place;
  readonly until: number;
}

/** One event, whether it was delivered before or not. */
async function passOver(tx: Tx, eventId: EventId): Promise<Pass> {
  const micros = microsOf(eventId);
  if (!(await isLogged(tx, eventId, microsText(micros)))) refuse('EVENT_NOT_FOUND', { eventId });
  const { position } = await findPlace(tx, microsText(micros));
  return { from: { position: position - 1, occurredAt: microsText(micros - 1) }, until: position };
}

/** Up to where the live lane is: what comes behind that it sends itself, and in order. */
async function passSince(
  tx: Tx,
  endpointId: WebhookEndpointId,
  since: string,
  retention: number,
): Promise<Pass> {
  const { place: from, keptSince } = await findCursor(tx, since, retention);
  if (keptSince !== null) refuse('CURSOR_EXPIRED', { keptSince });
  const live = await placeOfLane(tx, endpointId);
  assert(live !== undefined, 'an endpoint has a live lane');
  return { from, until: Math.max(from.position, live.position) };
}
