//! Ends a key at once, and every token issued for it: POST /auth/api-keys/{id}/revoke.
import { refuse } from '@holdfast/contract/errors';
import type { ApiKeyId, OperatorId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import type { RowNumber } from '../../platform/database/database.ts';
import { type Transactor, type Tx, transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { type ApiKey, endApiKey, endKeysOf, lockApiKey } from './api-key.ts';

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

/** A key ends with the role of the operator who requested it. */
export async function revokeKeysOf(
  tx: Tx,
  operatorId: OperatorId,
  marketplaces: readonly RowNumber[] | null = null,
): Promise<void> {
  for (const { id, marketplace } of await endKeysOf(tx, operatorId, marketplaces))
    await audit(tx, { action: 'API_KEY_REVOKED', resourceId: id, marketplace });
}
