//! Lists the endpoints of a marketplace, or gets one: GET /webhook-endpoints and below.
import type { WebhookState } from '@holdfast/contract/machines/webhook-machine';
import type { WebhookEndpointId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { type Page, type PageQuery, pageOf } from '../../platform/database/page.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { type EndpointDetail, getEndpointDetail, listEndpointDetails } from './endpoint.ts';

export interface EndpointQuery extends PageQuery {
  readonly status?: WebhookState;
}

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

export async function getWebhookEndpoint(
  app: Transactor,
  call: Call,
  id: WebhookEndpointId,
): Promise<EndpointDetail> {
  return read(app, call, (tx) => getEndpointDetail(tx, id));
}
