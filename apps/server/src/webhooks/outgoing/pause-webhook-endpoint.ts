//! Pauses an endpoint, by hand or because it keeps failing, and resumes it:
//! POST /webhook-endpoints/{webhookEndpointId}/pause and /resume.
import type { PayloadOf } from '@holdfast/contract/events';
import { webhookMachine } from '@holdfast/contract/machines/webhook-machine';
import { instantText } from '@holdfast/kernel/clock';
import type { WebhookEndpointId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { emit } from '../../platform/database/outbox.ts';
import { type Transactor, type Tx, transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import {
  checkState,
  type EndpointDetail,
  getEndpointDetail,
  lockEndpoint,
  moveEndpoint,
  type WebhookEndpoint,
} from './endpoint.ts';
import { interruptLanes, refreshLanes } from './lane.ts';

export async function pauseWebhookEndpoint(
  app: Transactor,
  call: Call,
  id: WebhookEndpointId,
  { reason = 'Paused manually' }: { readonly reason?: string },
): Promise<EndpointDetail> {
  const pause = async (tx: Tx) => {
    const endpoint = await lockEndpoint(tx, id);
    checkState(endpoint, webhookMachine.moves.pause.from);
    await stopSending(tx, endpoint, 'BY_HAND', reason);
    return getEndpointDetail(tx, id);
  };
  return transact(app, call, pause, 'read committed');
}

export async function resumeWebhookEndpoint(
  app: Transactor,
  call: Call,
  id: WebhookEndpointId,
): Promise<EndpointDetail> {
  const resume = async (tx: Tx) => {
    const endpoint = await lockEndpoint(tx, id);
    checkState(endpoint, webhookMachine.moves.resume.from);
    await moveEndpoint(tx, endpoint, 'resume');
    await refreshLanes(tx, id);
    const before = { pauseReason: endpoint.pauseReason };
    await audit(tx, { action: 'WEBHOOK_ENDPOINT_RESUMED', resourceId: id, before });
    return getEndpointDetail(tx, id);
  };
  return transact(app, call, resume, 'read committed');
}

/** The backlog stays. False when another caller has paused or disabled it meanwhile. */
export async function stopSending(
  tx: Tx,
  endpoint: WebhookEndpoint,
  cause: PayloadOf<'webhook.paused'>['cause'],
  reason: string,
): Promise<boolean> {
  const { id, url } = endpoint;
  if (!(await moveEndpoint(tx, endpoint, 'pause', reason))) return false;
  await interruptLanes(tx, id);
  const pausedAt = instantText(tx.now);
  await emit(tx, 'webhook.paused', id, { webhookEndpointId: id, url, cause, reason, pausedAt });
  await audit(tx, {
    action: 'WEBHOOK_ENDPOINT_PAUSED',
    resourceId: id,
    reason,
    result: cause === 'BY_HAND' ? 'SUCCESS' : 'FAILURE',
    after: { cause, url },
  });
  return true;
}
