//! Lists the deliveries to an endpoint, newest first: GET
//! /webhook-endpoints/{webhookEndpointId}/deliveries.
import { refuse } from '@holdfast/contract/errors';
import type { WebhookEndpointId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { type Page, type PageQuery, pageOf } from '../../platform/database/page.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { type Delivery, type DeliveryFilter, listDeliveryRows } from './delivery.ts';
import { findEndpoint } from './endpoint.ts';

export interface DeliveryQuery extends PageQuery, DeliveryFilter {}

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
