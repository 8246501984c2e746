//! Creates an API key, and its marketplace when none is named: POST /auth/api-keys.
import { refuse } from '@holdfast/contract/errors';
import { refuseField } from '@holdfast/contract/validation';
import { type Instant, readInstant } from '@holdfast/kernel/clock';
import { type MarketplaceId, newId } from '@holdfast/kernel/ids';
import type { Actor, Call, KeyScope } from '../../platform/call.ts';
import type { Tx } from '../../platform/database/transact.ts';
import { type Transactor, transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import {
  type ApiKey,
  findMarketplace,
  insertApiKey,
  insertMarketplace,
  type Marketplace,
} from './api-key.ts';
import { newKeyText, secretHash } from './key-text.ts';

export interface KeyIssuer extends Transactor {
  readonly cell: string;
}

export interface NewApiKey {
  readonly name: string;
  readonly scopes: readonly KeyScope[];
  readonly marketplaceId?: MarketplaceId;
  readonly expiresAt?: string;
}

/** A key together with its secret, which is returned once. */
export interface IssuedKey {
  readonly key: ApiKey;
  readonly secret: string;
}

export async function createApiKey(
  app: KeyIssuer,
  call: Call,
  input: NewApiKey,
): Promise<IssuedKey> {
  return transact(app, call, async (tx) => {
    const expiresAt = readExpiry(input.expiresAt, tx.now);
    const marketplace = await marketplaceOf(tx, call.actor, input);
    const id = newId('key', tx.now);
    return issueKey(
      tx,
      app.cell,
      {
        id,
        familyId: id,
        name: input.name,
        scopes: input.scopes,
        expiresAt,
        rotatedFrom: null,
        marketplace: marketplace.number,
        marketplaceId: marketplace.id,
      },
      'API_KEY_CREATED',
    );
  });
}

/** The part that creation and rotation share. */
export async function issueKey(
  tx: Tx,
  cell: string,
  key: Omit<ApiKey, 'createdAt' | 'revokedAt' | 'lastUsedAt'>,
  action: 'API_KEY_CREATED' | 'API_KEY_ROTATED',
): Promise<IssuedKey> {
  const secret = newKeyText(cell);
  await insertApiKey(tx, key, secretHash(secret));
  await audit(tx, {
    action: 'API_KEY_CREATED',
    resourceId: key.id,
    marketplace: key.marketplace,
    after: { name: key.name, scopes: key.scopes, expiresAt: key.expiresAt },
  });
  if (action === 'API_KEY_ROTATED') {
    await audit(tx, {
      action,
      resourceId: key.rotatedFrom as string,
      marketplace: key.marketplace,
      after: { successor: key.id },
    });
  }
  return { secret, key: { ...key, createdAt: tx.now, revokedAt: null, lastUsedAt: null } };
}

/** An operator creates keys of their own marketplace only; row-level security shows no other. */
async function marketplaceOf(tx: Tx, actor: Actor, input: NewApiKey): Promise<Marketplace> {
  const own = actor.kind === 'operator' ? actor.marketplaceId : undefined;
  const marketplaceId = input.marketplaceId ?? own;
  if (marketplaceId === undefined) {
    const created = await insertMarketplace(tx, input.name);
    await audit(tx, {
      action: 'MARKETPLACE_CREATED',
      resourceId: created.id,
      marketplace: created.number,
      after: { name: created.name },
    });
    return created;
  }
  return (
    (await findMarketplace(tx, marketplaceId)) ?? refuse('MARKETPLACE_NOT_FOUND', { marketplaceId })
  );
}

export function readExpiry(text: string | undefined, now: Instant): Instant | null {
  if (text === undefined) return null;
  const instant = readInstant(text);
  if (instant === undefined || instant <= now) {
    refuseField('expiresAt', 'range', 'expiresAt must be in the future');
  }
  return instant;
}
