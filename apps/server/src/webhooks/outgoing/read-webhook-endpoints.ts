//! Reads endpoints and the deliveries to them.

import { refuse } from '@holdfast/contract/errors';
import type { WebhookState } from '@holdfast/contract/machines/webhook-machine';
import type { WebhookEndpointId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { type Page, type PageQuery, pageOf } from '../../platform/database/page.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { type Delivery, type DeliveryFilter, listDeliveryRows } from './delivery.ts';
import {
  type EndpointDetail,
  findEndpoint,
  getEndpointDetail,
  listEndpointDetails,
} from './endpoint.ts';

export interface EndpointQuery extends PageQuery {
  readonly status?: WebhookState;
}

/** GET /webhook-endpoints: newest first. */
export async function listWebhookEndpoints(
  app: Transactor,
  call: Call,
  query: EndpointQuery,
): Promise<Page<EndpointDetail>> {
  const { status } = query;
  return read(app, call, (tx) =>
    pageOf(query, (after, count) => listEndpointDetails(tx, { status }, after, count)),
  );
}

/** GET /webhook-endpoints/{webhookEndpointId}. */
export async function getWebhookEndpoint(
  app: Transactor,
  call: Call,
  id: WebhookEndpointId,
): Promise<EndpointDetail> {
  return read(app, call, (tx) => getEndpointDetail(tx, id));
}

export interface DeliveryQuery extends PageQuery, DeliveryFilter {}

/** GET /webhook-endpoints/{webhookEndpointId}/deliveries: newest first. */
export async function listWebhookDeliveries(
  app: Transactor,
  call: Call,
  id: WebhookEndpointId,
  query: DeliveryQuery,
): Promise<Page<Delivery>> {
  return read(app, call, async (tx) => {
    if ((await findEndpoint(tx, id)) === undefined)
      refuse('WEBHOOK_ENDPOINT_NOT_FOUND', { webhookEndpointId: id });
    return pageOf(query, (after, count) => listDeliveryRows(tx, id, query, after, count));
  });
}
