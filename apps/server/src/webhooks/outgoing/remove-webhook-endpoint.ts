//! Disables an endpoint for good: DELETE /webhook-endpoints/{webhookEndpointId}.
import type { WebhookEndpointId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { type Transactor, type Tx, transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { type EndpointDetail, getEndpointDetail, lockEndpoint, moveEndpoint } from './endpoint.ts';
import { endPasses, interruptLanes } from './lane.ts';

/** A repeat changes nothing. */
export async function removeWebhookEndpoint(
  app: Transactor,
  call: Call,
  id: WebhookEndpointId,
): Promise<EndpointDetail> {
  const remove = async (tx: Tx) => {
    const endpoint = await lockEndpoint(tx, id);
    if (await moveEndpoint(tx, endpoint, 'disable')) {
      await interruptLanes(tx, id);
      await endPasses(tx, id);
      const before = { url: endpoint.url, status: endpoint.status };
      await audit(tx, { action: 'WEBHOOK_ENDPOINT_DISABLED', resourceId: id, before });
    }
    return getEndpointDetail(tx, id);
  };
  return transact(app, call, remove, 'read committed');
}
