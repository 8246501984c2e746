//! Creates an API key, and its marketplace when none is named: POST /auth/api-keys.
import { refuse } from '@holdfast/contract/errors';
import { OPERATOR_KEY_DAYS_MAX } from '@holdfast/contract/limits';
import { refuseField } from '@holdfast/contract/validation';
import { assert } from '@holdfast/kernel/assert';
import { type Instant, readInstant } from '@holdfast/kernel/clock';
import { type MarketplaceId, newId } from '@holdfast/kernel/ids';
import type { Actor, Call, KeyScope } from '../../platform/call.ts';
import type { Tx } from '../../platform/database/transact.ts';
import { read, type Transactor, transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import {
  type ApiKey,
  findMarketplace,
  insertApiKey,
  insertMarketplace,
  type KeyOperators,
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
  readonly requestsPerMinute?: number;
}

/**
 * A key together with its secret, which is returned once. A key of an operator has none yet: its
 * response goes to the second approver, and only the operator who requested it may fetch it.
 */
export interface IssuedKey {
  readonly key: ApiKey;
  readonly secret?: string;
}

export async function createApiKey(
  app: KeyIssuer,
  call: Call,
  input: NewApiKey,
): Promise<IssuedKey> {
  return transact(app, call, async (tx) => {
    const expiresAt = readKeyExpiry(call.actor, input.expiresAt, tx.now);
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
        requestsPerMinute: input.requestsPerMinute ?? null,
        marketplace: marketplace.number,
        marketplaceId: marketplace.id,
        operators: operatorsOf(call.actor),
      },
      'API_KEY_CREATED',
    );
  });
}

/** The part that creation and rotation share. */
export async function issueKey(
  tx: Tx,
  cell: string,
  key: Omit<ApiKey, 'createdAt' | 'revokedAt' | 'lastUsedAt' | 'hasSecret'>,
  action: 'API_KEY_CREATED' | 'API_KEY_ROTATED',
): Promise<IssuedKey> {
  const secret = key.operators === null ? newKeyText(cell) : undefined;
  await insertApiKey(tx, key, secret === undefined ? null : secretHash(secret));
  await audit(tx, {
    action: 'API_KEY_CREATED',
    resourceId: key.id,
    marketplace: key.marketplace,
    after: {
      name: key.name,
      scopes: key.scopes,
      expiresAt: key.expiresAt,
      requestsPerMinute: key.requestsPerMinute ?? undefined,
      approvedBy: key.operators?.approvedBy.id,
    },
  });
  if (action === 'API_KEY_ROTATED') {
    await audit(tx, {
      action,
      resourceId: key.rotatedFrom as string,
      marketplace: key.marketplace,
      after: { successor: key.id },
    });
  }
  const hasSecret = secret !== undefined;
  const issued = { ...key, createdAt: tx.now, revokedAt: null, lastUsedAt: null, hasSecret };
  return { key: issued, ...(secret !== undefined && { secret }) };
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

/** The operators behind a key that is created now. */
export function operatorsOf(actor: Actor): KeyOperators | null {
  if (actor.kind !== 'operator') return null;
  const { id, name, approvedBy } = actor;
  assert(approvedBy !== undefined, 'a key of an operator has a second approver');
  return { createdBy: { id, name }, approvedBy: { id: approvedBy.id, name: approvedBy.name } };
}

const DAY_MS = 86_400_000;

/** An operator's key expires, and soon: its operator may have forgotten it by then. */
export function readKeyExpiry(
  actor: Actor,
  text: string | undefined,
  now: Instant,
): Instant | null {
  const expiresAt = readExpiry(text, now);
  if (actor.kind !== 'operator') return expiresAt;
  if (expiresAt === null || expiresAt > now + OPERATOR_KEY_DAYS_MAX * DAY_MS)
    refuseField(
      'expiresAt',
      expiresAt === null ? 'required' : 'range',
      `expiresAt must be at most ${OPERATOR_KEY_DAYS_MAX} days away`,
    );
  return expiresAt;
}

/** Refuses what creating the key would refuse now. */
export async function checkNewKey(app: Transactor, call: Call, input: NewApiKey): Promise<void> {
  return read(app, call, async (tx) => {
    readKeyExpiry(call.actor, input.expiresAt, tx.now);
    await marketplaceOf(tx, call.actor, input);
  });
}

function readExpiry(text: string | undefined, now: Instant): Instant | null {
  if (text === undefined) return null;
  const instant = readInstant(text);
  if (instant === undefined || instant <= now) {
    refuseField('expiresAt', 'range', 'expiresAt must be in the future');
  }
  return instant;
}
