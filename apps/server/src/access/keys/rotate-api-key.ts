//! Rotates a key: it gets a successor, and both work until the overlap ends: POST
//! /auth/api-keys/{id}/rotate.
import { refuse } from '@holdfast/contract/errors';
import { KEY_OVERLAP_SECONDS } from '@holdfast/contract/limits';
import type { Instant } from '@holdfast/kernel/clock';
import { type ApiKeyId, newId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { read, type Transactor, transact } from '../../platform/database/transact.ts';
import {
  type ApiKey,
  endApiKey,
  findApiKey,
  type LockedKey,
  lockApiKey,
  refuseEnded,
} from './api-key.ts';
import {
  type IssuedKey,
  issueKey,
  type KeyIssuer,
  operatorsOf,
  readKeyExpiry,
} from './create-api-key.ts';

export interface Rotation {
  readonly overlapSeconds?: number;
  readonly expiresAt?: string;
}

export async function rotateApiKey(
  app: KeyIssuer,
  call: Call,
  apiKeyId: ApiKeyId,
  input: Rotation,
): Promise<IssuedKey> {
  return transact(app, call, async (tx) => {
    const old = (await lockApiKey(tx, apiKeyId)) ?? refuse('API_KEY_NOT_FOUND', { apiKeyId });
    refuseEnded(old, tx.now);
    const { overlapSeconds = KEY_OVERLAP_SECONDS.default } = input;
    await endApiKey(tx, old, { expiresAt: tx.now + overlapSeconds * 1000 });
    return issueKey(
      tx,
      app.cell,
      {
        id: newId('key', tx.now),
        familyId: old.familyId,
        name: old.name,
        scopes: old.scopes,
        expiresAt: readKeyExpiry(call.actor, input.expiresAt, tx.now) ?? successorEnd(old, tx.now),
        rotatedFrom: old.id,
        requestsPerMinute: old.requestsPerMinute,
        marketplace: old.marketplace,
        marketplaceId: old.marketplaceId,
        operators: operatorsOf(call.actor),
      },
      'API_KEY_ROTATED',
    );
  });
}

/** Unless requested otherwise, it lives as long as its predecessor was meant to. */
function successorEnd({ createdAt, issuedUntil }: LockedKey, now: Instant): Instant | null {
  return issuedUntil === null ? null : now + (issuedUntil - createdAt);
}

/** Refuses what the rotation would refuse now. */
export async function findKeyToRotate(
  app: Transactor,
  call: Call,
  apiKeyId: ApiKeyId,
  input: Rotation,
): Promise<ApiKey> {
  return read(app, call, async (tx) => {
    const old = (await findApiKey(tx, apiKeyId)) ?? refuse('API_KEY_NOT_FOUND', { apiKeyId });
    refuseEnded(old, tx.now);
    readKeyExpiry(call.actor, input.expiresAt, tx.now);
    return old;
  });
}
