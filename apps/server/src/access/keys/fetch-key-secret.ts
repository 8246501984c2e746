//! Gives an approved key its secret and returns that once, to the operator who requested the key:
//! POST /auth/api-keys/{id}/secret.
import { refuse } from '@holdfast/contract/errors';
import type { ApiKeyId } from '@holdfast/kernel/ids';
import type { Call, TenantActor } from '../../platform/call.ts';
import { transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { lockApiKey, setSecretHash } from './api-key.ts';
import type { IssuedKey, KeyIssuer } from './create-api-key.ts';
import { newKeyText, secretHash } from './key-text.ts';

export async function fetchKeySecret(
  app: KeyIssuer,
  call: Call<TenantActor>,
  apiKeyId: ApiKeyId,
): Promise<IssuedKey> {
  return transact(app, call, async (tx) => {
    const key = (await lockApiKey(tx, apiKeyId)) ?? refuse('API_KEY_NOT_FOUND', { apiKeyId });
    if (key.operators?.createdBy.id !== call.actor.id) return refuse('KEY_REQUESTER_REQUIRED', {});
    const secret = newKeyText(app.cell);
    if (key.revokedAt !== null || !(await setSecretHash(tx, key, secretHash(secret)))) {
      const state = key.revokedAt === null ? 'fetched' : 'revoked';
      refuse('INVALID_STATE', { resource: 'apiKey', id: key.id, state });
    }
    await audit(tx, { action: 'API_KEY_SECRET_FETCHED', resourceId: key.id });
    return { key: { ...key, hasSecret: true }, secret };
  });
}
