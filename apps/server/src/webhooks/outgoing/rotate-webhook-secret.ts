//! Rotates the secret of an endpoint; both sign until the overlap ends: POST
//! /webhook-endpoints/{webhookEndpointId}/rotate-secret.
import { SECRET_OVERLAP_SECONDS } from '@holdfast/contract/limits';
import { instantText } from '@holdfast/kernel/clock';
import type { WebhookEndpointId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { type Tx, transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import type { SecretEndpoint } from './create-webhook-endpoint.ts';
import { changeSecret, checkState, getEndpointDetail, IN_USE, lockEndpoint } from './endpoint.ts';
import { interruptLanes } from './lane.ts';
import { newSecret } from './signing-secret.ts';
import type { WebhookApp } from './webhook-app.ts';

export async function rotateWebhookSecret(
  app: WebhookApp,
  call: Call,
  id: WebhookEndpointId,
  { overlapSeconds = SECRET_OVERLAP_SECONDS.default }: { readonly overlapSeconds?: number },
): Promise<SecretEndpoint> {
  const { text, sealed } = await newSecret(app.webhooks.keys, id);
  const rotate = async (tx: Tx) => {
    const endpoint = await lockEndpoint(tx, id);
    checkState(endpoint, IN_USE);
    const oldUntil = tx.now + overlapSeconds * 1000;
    await changeSecret(tx, endpoint, sealed, oldUntil);
    // A running lease signs with the secrets that it started with.
    await interruptLanes(tx, id);
    const after = { oldSecretUntil: instantText(oldUntil) };
    await audit(tx, { action: 'WEBHOOK_SECRET_ROTATED', resourceId: id, after });
    return { endpoint: await getEndpointDetail(tx, id), secret: text };
  };
  return transact(app, call, rotate, 'read committed');
}
