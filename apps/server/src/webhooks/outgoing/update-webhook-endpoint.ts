//! Changes the URL, the event types and the description of an endpoint: PATCH
//! /webhook-endpoints/{webhookEndpointId}.
import type { WebhookEndpointId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { checkUrl, type NewEndpoint } from './create-webhook-endpoint.ts';
import {
  changeEndpoint,
  checkState,
  type EndpointDetail,
  getEndpointDetail,
  IN_USE,
  lockEndpoint,
} from './endpoint.ts';
import { refreshLanes } from './lane.ts';
import type { WebhookApp } from './webhook-app.ts';

/** A running lease stops at its next write and continues at once with the new settings. */
export async function updateWebhookEndpoint(
  app: WebhookApp,
  call: Call,
  id: WebhookEndpointId,
  wanted: Partial<NewEndpoint>,
): Promise<EndpointDetail> {
  if (wanted.url !== undefined) await checkUrl(app, wanted.url);
  const change = async (tx: Parameters<typeof lockEndpoint>[0]) => {
    const before = await lockEndpoint(tx, id);
    checkState(before, IN_USE);
    const { url = before.url, types = before.types, description = before.description } = wanted;
    const after = { url, types, description };
    await changeEndpoint(tx, before, after);
    await refreshLanes(tx, id);
    await audit(tx, {
      action: 'WEBHOOK_ENDPOINT_UPDATED',
      resourceId: id,
      before: { url: before.url, types: before.types, description: before.description },
      after,
    });
    return getEndpointDetail(tx, id);
  };
  return transact(app, call, change, 'read committed');
}
