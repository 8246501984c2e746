//! Lists the endpoints of a marketplace, or gets one: GET /webhook-endpoints and below.
import type { WebhookState } from '@holdfast/contract/webhook-machine';
import type { WebhookEndpointId } from '@holdfast/kernel/ids';
import type { Call } from '../platform/call.ts';
import { type Page, type PageQuery, pageOf } from '../platform/page.ts';
import { read, type Transactor } from '../platform/transact.ts';
import { getToldEndpoint, listToldEndpoints, type ToldEndpoint } from './endpoint.ts';

export interface EndpointQuery extends PageQuery {
  readonly status?: WebhookState;
}

export async function listWebhookEndpoints(
  app: Transactor,
  call: Call,
  query: EndpointQuery,
): Promise<Page<ToldEndpoint>> {
  const { status } = query;
  return read(app, call, (tx) =>
    pageOf(query, (after, count) => listToldEndpoints(tx, { status }, after, count)),
  );
}

export async function getWebhookEndpoint(
  app: Transactor,
  call: Call,
  id: WebhookEndpointId,
): Promise<ToldEndpoint> {
  return read(app, call, (tx) => getToldEndpoint(tx, id));
}
