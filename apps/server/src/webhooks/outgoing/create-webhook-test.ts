//! Sends one test message, which is no event: POST /webhook-endpoints/{webhookEndpointId}/test.
import { newId, type WebhookEndpointId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { type Transactor, type Tx, transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { LOG_START } from '../../record/events/event-log.ts';
import { insertLane } from './lane.ts';
import { checkRoom, type Replay } from './replay-events.ts';

/** Tried once, and also while the endpoint is paused: a caller can test before resuming. */
export async function createWebhookTest(
  app: Transactor,
  call: Call,
  endpointId: WebhookEndpointId,
): Promise<Replay> {
  const start = async (tx: Tx): Promise<Replay> => {
    await checkRoom(tx, endpointId);
    const id = newId('whr', tx.now);
    const testEventId = newId('evt', tx.now);
    const lane = {
      id,
      endpointId,
      kind: 'TEST',
      logPosition: LOG_START,
      untilPosition: null,
    } as const;
    await insertLane(tx, { ...lane, testEventId });
    const after = { replayId: id, eventId: testEventId };
    await audit(tx, { action: 'WEBHOOK_TEST_SENT', resourceId: endpointId, after });
    return { id, endpointId, kind: 'TEST', status: 'OPEN', createdAt: tx.now };
  };
  return transact(app, call, start, 'read committed');
}
