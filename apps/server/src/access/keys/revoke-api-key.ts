//! Ends a key at once, and every token issued for it: POST /auth/api-keys/{id}/revoke.
import { refuse } from '@holdfast/contract/errors';
import type { ApiKeyId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { type Transactor, transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { type ApiKey, endApiKey, lockApiKey } from './api-key.ts';

/** A repeated revocation returns the same: the first time of revocation stays. */
export async function revokeApiKey(
  app: Transactor,
  call: Call,
  apiKeyId: ApiKeyId,
): Promise<ApiKey> {
  return transact(app, call, async (tx) => {
    const key = (await lockApiKey(tx, apiKeyId)) ?? refuse('API_KEY_NOT_FOUND', { apiKeyId });
    if (key.revokedAt !== null) return key;
    await endApiKey(tx, key, { revokedAt: tx.now });
    await audit(tx, {
      action: 'API_KEY_REVOKED',
      resourceId: key.id,
      marketplace: key.marketplace,
    });
    return { ...key, revokedAt: tx.now };
  });
}
