//! Issues a short-lived token for a key: POST /auth/api-keys/{id}/token.
import { refuse } from '@holdfast/contract/errors';
import { TOKEN_TTL_SECONDS } from '@holdfast/contract/limits';
import type { Instant } from '@holdfast/kernel/clock';
import type { ApiKeyId } from '@holdfast/kernel/ids';
import type { Call, KeyScope } from '../../platform/call.ts';
import { type Transactor, transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { type ApiKey, findApiKey, refuseEnded } from './api-key.ts';
import type { TokenKey } from './token.ts';

export interface TokenInput {
  readonly ttlSeconds?: number;
  readonly scopes?: readonly KeyScope[];
}

export interface Token {
  readonly token: string;
  readonly expiresAt: Instant;
  readonly scopes: readonly KeyScope[];
}

export async function issueToken(
  app: Transactor & { readonly tokens: TokenKey },
  call: Call,
  apiKeyId: ApiKeyId,
  input: TokenInput,
): Promise<Token> {
  return transact(app, call, async (tx) => {
    const key = (await findApiKey(tx, apiKeyId)) ?? refuse('API_KEY_NOT_FOUND', { apiKeyId });
    checkIssue(call, key, tx.now);
    const mayPass = call.actor.kind === 'key' ? call.actor.scopes : key.scopes;
    const scopes = input.scopes ?? key.scopes.filter((scope) => mayPass.includes(scope));
    if (!scopes.every((scope) => mayPass.includes(scope))) {
      refuse('INSUFFICIENT_SCOPE', { required: scopes.join(' ') });
    }
    const expiresAt = endOf(call, tx.now, input.ttlSeconds ?? TOKEN_TTL_SECONDS.default);
    await audit(tx, {
      action: 'TOKEN_ISSUED',
      resourceId: key.id,
      marketplace: key.marketplace,
      after: { expiresAt, scopes },
    });
    return {
      token: await app.tokens.sign({ apiKeyId: key.id, scopes, expiresAt }),
      expiresAt,
      scopes,
    };
  });
}

/** In whole seconds, the resolution of a token; one issued with a token does not outlive it. */
function endOf({ actor }: Call, now: Instant, ttlSeconds: number): Instant {
  const end = (Math.floor(now / 1000) + ttlSeconds) * 1000;
  return actor.kind === 'key' && actor.tokenUntil !== null ? Math.min(end, actor.tokenUntil) : end;
}

/** Only for the calling key, or by the master key; never for one that has ended. */
function checkIssue({ actor }: Call, key: ApiKey, now: Instant): void {
  if (actor.kind === 'key' && actor.id !== key.id)
    refuse('INSUFFICIENT_SCOPE', { required: 'master' });
  refuseEnded(key, now);
}
