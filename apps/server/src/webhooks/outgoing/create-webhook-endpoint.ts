//! Creates an endpoint that events are sent to from now on: POST /webhook-endpoints.
import { refuse } from '@holdfast/contract/errors';
import { WEBHOOK_ENDPOINTS_MAX } from '@holdfast/contract/limits';
import type { EventPattern } from '@holdfast/contract/records/webhook-records';
import { newId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { readLogEnd } from '../../record/events/event-log.ts';
import { EgressRefusal } from './address-policy.ts';
import {
  countEndpoints,
  type EndpointDetail,
  getEndpointDetail,
  insertEndpoint,
} from './endpoint.ts';
import { insertLane } from './lane.ts';
import { newSecret } from './signing-secret.ts';
import type { WebhookApp } from './webhook-app.ts';

export interface NewEndpoint {
  readonly url: string;
  readonly description?: string | null;
  readonly types?: readonly EventPattern[];
}

/** An endpoint with its secret, which is returned once. */
export interface SecretEndpoint {
  readonly endpoint: EndpointDetail;
  readonly secret: string;
}

export async function createWebhookEndpoint(
  app: WebhookApp,
  call: Call,
  { url, description = null, types = ['*'] }: NewEndpoint,
): Promise<SecretEndpoint> {
  const id = newId('whe', app.clock.now());
  await checkUrl(app, url);
  const { text, sealed } = await newSecret(app.webhooks.keys, id);
  const endpoint = await transact(app, call, async (tx) => {
    if ((await countEndpoints(tx)) >= WEBHOOK_ENDPOINTS_MAX)
      refuse('WEBHOOK_LIMIT', { of: 'endpoints', maximum: WEBHOOK_ENDPOINTS_MAX });
    await insertEndpoint(tx, { id, url, description, types }, sealed);
    const logPosition = await readLogEnd(tx);
    const live = { id, endpointId: id, kind: 'LIVE', untilPosition: null } as const;
    await insertLane(tx, { ...live, logPosition, testEventId: null });
    const after = { url, types, description };
    await audit(tx, { action: 'WEBHOOK_ENDPOINT_CREATED', resourceId: id, after });
    return { endpoint: await getEndpointDetail(tx, id), secret: text };
  });
  return endpoint;
}

/** Outside of any transaction: it resolves a name. */
export async function checkUrl({ webhooks, log }: WebhookApp, url: string): Promise<void> {
  try {
    await webhooks.egress.check(url);
  } catch (error) {
    if (!(error instanceof EgressRefusal)) throw error;
    const { message: reason, detail } = error;
    log.info({ detail }, 'webhook URL refused');
    refuse('WEBHOOK_URL_REFUSED', { reason });
  }
}
