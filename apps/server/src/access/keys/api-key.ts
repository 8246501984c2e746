//! API keys and marketplaces: the only SQL that writes them.
import { refuse } from '@holdfast/contract/errors';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { Currency } from '@holdfast/kernel/currency';
import { type ApiKeyId, type MarketplaceId, newId, type OperatorId } from '@holdfast/kernel/ids';
import type { KeyScope } from '../../platform/call.ts';
import type { RowNumber } from '../../platform/database/database.ts';
import type { Tables } from '../../platform/database/generated/tables.ts';
import { type CreatedFilter, idRange } from '../../platform/database/id-range.ts';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';

export interface ApiKey {
  readonly id: ApiKeyId;
  readonly familyId: ApiKeyId;
  readonly name: string;
  readonly scopes: readonly KeyScope[];
  readonly marketplaceId: MarketplaceId;
  readonly marketplace: RowNumber;
  readonly createdAt: Instant;
  readonly expiresAt: Instant | null;
  readonly revokedAt: Instant | null;
  readonly lastUsedAt: Instant | null;
  readonly rotatedFrom: ApiKeyId | null;
  /** Null where the limit of all keys applies. */
  readonly requestsPerMinute: number | null;
  /** Null where the master key created it. */
  readonly operators: KeyOperators | null;
  /** False until the operator who requested it has fetched the secret. */
  readonly hasSecret: boolean;
}

/** The two operators behind a key, with the names they had at the time. */
export interface KeyOperators {
  readonly createdBy: KeyOperator;
  readonly approvedBy: KeyOperator;
}

interface KeyOperator {
  readonly id: OperatorId;
  readonly name: string;
}

export interface LockedKey extends ApiKey {
  /** Its expiry before any rotation. */
  readonly issuedUntil: Instant | null;
}

export interface Marketplace {
  readonly number: RowNumber;
  readonly id: MarketplaceId;
  readonly name: string;
  readonly createdAt: Instant;
  readonly limits: Readonly<Record<string, string | null>> | null;
}

export async function insertMarketplace(
  tx: Tx,
  name: string,
  id: MarketplaceId = newId('mkt', tx.now),
): Promise<Marketplace> {
  const [row] = await tx.query<{ id: string }>(sql`
    insert into marketplace (public_id, name, created_at)
    values (${id}, ${name}, ${instantText(tx.now)}) returning id`);
  return { number: (row as { id: string }).id, id, name, createdAt: tx.now, limits: null };
}

type MarketplaceRow = Row<
  'marketplace',
  'id' | 'public_id' | 'name' | 'created_at',
  { public_id: MarketplaceId }
> & { limits: Record<string, string | null> | null };

export async function findMarketplace(tx: Tx, id: MarketplaceId): Promise<Marketplace | undefined> {
  const [row] = await tx.query<MarketplaceRow>(sql`
    select m.id, m.public_id, m.name, m.created_at,
      (select json_object_agg(l.currency, l.limit_minor::text) from adjustment_limit l
        where l.marketplace_id = m.id) as limits
    from marketplace m where m.public_id = ${id}`);
  return row && readMarketplace(row);
}

export async function listMarketplaceRows(
  tx: Tx,
  filter: CreatedFilter,
  after: string | null,
  count: number,
): Promise<Marketplace[]> {
  const { from, below } = idRange('mkt', filter, after);
  const rows = await tx.query<MarketplaceRow>(sql`
    select m.id, m.public_id, m.name, m.created_at,
      (select json_object_agg(l.currency, l.limit_minor::text) from adjustment_limit l
        where l.marketplace_id = m.id) as limits
    from marketplace m where m.public_id >= ${from} and m.public_id < ${below}
    order by m.public_id desc limit ${count}`);
  return rows.map(readMarketplace);
}

export async function setLimitRow(
  tx: Tx,
  marketplace: RowNumber,
  currency: Currency,
  limit: bigint | null,
): Promise<void> {
  await tx.query(sql`
    insert into adjustment_limit (marketplace_id, currency, limit_minor, set_at)
    values (${marketplace}, ${currency}, ${limit === null ? null : String(limit)}, ${instantText(tx.now)})
    on conflict (marketplace_id, currency)
    do update set limit_minor = excluded.limit_minor, set_at = excluded.set_at`);
}

function readMarketplace(row: MarketplaceRow): Marketplace {
  return {
    number: row.id,
    id: row.public_id,
    name: row.name,
    createdAt: row.created_at,
    limits: row.limits,
  };
}

export async function insertApiKey(
  tx: Tx,
  key: Omit<ApiKey, 'createdAt' | 'lastUsedAt' | 'revokedAt' | 'marketplaceId' | 'hasSecret'>,
  keyHash: string | null,
): Promise<void> {
  const { createdBy, approvedBy } = key.operators ?? {};
  await tx.query(sql`
    insert into api_key (marketplace_id, id, family_id, name, scopes, key_hash, created_at,
      expires_at, issued_until, rotated_from, requests_per_minute, created_by, created_by_name, approved_by,
      approved_by_name)
    values (${key.marketplace}, ${key.id}, ${key.familyId}, ${key.name}, ${key.scopes},
      ${keyHash === null ? null : Buffer.from(keyHash, 'hex')}, ${instantText(tx.now)},
      ${instantText(key.expiresAt)}, ${instantText(key.expiresAt)}, ${key.rotatedFrom},
      ${key.requestsPerMinute}, ${createdBy?.id ?? null}, ${createdBy?.name ?? null}, ${approvedBy?.id ?? null}, ${approvedBy?.name ?? null})`);
}

/** False for a key that has its secret already. */
export async function setSecretHash(tx: Tx, { id }: ApiKey, keyHash: string): Promise<boolean> {
  const set = await tx.query(sql`
    update api_key set key_hash = ${Buffer.from(keyHash, 'hex')}
    where marketplace_id = ${tx.marketplace} and id = ${id} and key_hash is null
    returning id`);
  return set.length === 1;
}

export interface EndedKey {
  readonly id: ApiKeyId;
  readonly marketplace: RowNumber;
}

/** Ends the keys that an operator requested, in these marketplaces or, when null, in all. */
export async function endKeysOf(
  tx: Tx,
  operatorId: OperatorId,
  marketplaces: readonly RowNumber[] | null,
): Promise<EndedKey[]> {
  return tx.query<EndedKey>(sql`
    update api_key set revoked_at = ${instantText(tx.now)}
    where created_by = ${operatorId} and revoked_at is null
      and (${marketplaces}::bigint[] is null or marketplace_id = any (${marketplaces}))
    returning id, marketplace_id as marketplace`);
}

type ApiKeyRow = Row<
  'api_key',
  Exclude<keyof Tables['api_key'], 'key_hash' | 'issued_until'>,
  {
    id: ApiKeyId;
    family_id: ApiKeyId;
    scopes: KeyScope[];
    rotated_from: ApiKeyId;
    created_by: OperatorId;
    approved_by: OperatorId;
  }
> &
  Row<'marketplace', 'public_id', { public_id: MarketplaceId }> & { has_secret: boolean };

/** Row-level security shows an ordinary key its own marketplace, and the master key all. */
export async function lockApiKey(tx: Tx, id: ApiKeyId): Promise<LockedKey | undefined> {
  const [row] = await tx.query<ApiKeyRow & Row<'api_key', 'issued_until'>>(sql`
    select k.marketplace_id, m.public_id, k.id, k.family_id, k.name, k.scopes, k.created_at,
      k.expires_at, k.issued_until, k.revoked_at, k.last_used_at, k.rotated_from, k.requests_per_minute, k.created_by,
      k.created_by_name, k.approved_by, k.approved_by_name, k.key_hash is not null as has_secret
    from api_key k join marketplace m on m.id = k.marketplace_id
    where k.id = ${id} for update of k`);
  return row && { ...readApiKey(row), issuedUntil: row.issued_until };
}

export async function findApiKey(tx: Tx, id: ApiKeyId): Promise<ApiKey | undefined> {
  const [row] = await tx.query<ApiKeyRow>(sql`
    select k.marketplace_id, m.public_id, k.id, k.family_id, k.name, k.scopes, k.created_at,
      k.expires_at, k.revoked_at, k.last_used_at, k.rotated_from, k.requests_per_minute, k.created_by, k.created_by_name,
      k.approved_by, k.approved_by_name, k.key_hash is not null as has_secret
    from api_key k join marketplace m on m.id = k.marketplace_id where k.id = ${id}`);
  return row && readApiKey(row);
}

export async function listApiKeyRows(
  tx: Tx,
  filter: CreatedFilter,
  after: string | null,
  count: number,
): Promise<ApiKey[]> {
  const { from, below } = idRange('key', filter, after);
  const rows = await tx.query<ApiKeyRow>(sql`
    select k.marketplace_id, m.public_id, k.id, k.family_id, k.name, k.scopes, k.created_at,
      k.expires_at, k.revoked_at, k.last_used_at, k.rotated_from, k.requests_per_minute, k.created_by, k.created_by_name,
      k.approved_by, k.approved_by_name, k.key_hash is not null as has_secret
    from api_key k join marketplace m on m.id = k.marketplace_id
    where k.id >= ${from} and k.id < ${below} order by k.id desc limit ${count}`);
  return rows.map(readApiKey);
}

export async function endApiKey(
  tx: Tx,
  key: ApiKey,
  end: { revokedAt: Instant } | { expiresAt: Instant },
): Promise<void> {
  await tx.query(sql`
    update api_key set
      revoked_at = coalesce(revoked_at, ${'revokedAt' in end ? instantText(end.revokedAt) : null}),
      expires_at = least(expires_at, ${'expiresAt' in end ? instantText(end.expiresAt) : null})
    where marketplace_id = ${key.marketplace} and id = ${key.id}`);
}

/** A key that has ended makes no other key and no token. */
export function refuseEnded({ id, revokedAt, expiresAt }: ApiKey, now: Instant): void {
  if (revokedAt !== null) refuse('INVALID_STATE', { resource: 'apiKey', id, state: 'revoked' });
  if (expiresAt !== null && expiresAt <= now)
    refuse('INVALID_STATE', { resource: 'apiKey', id, state: 'expired' });
}

function readApiKey(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    familyId: row.family_id,
    name: row.name,
    scopes: row.scopes,
    marketplaceId: row.public_id,
    marketplace: row.marketplace_id,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
    rotatedFrom: row.rotated_from,
    requestsPerMinute: row.requests_per_minute,
    operators:
      row.created_by === null || row.approved_by === null
        ? null
        : {
            createdBy: { id: row.created_by, name: row.created_by_name ?? '' },
            approvedBy: { id: row.approved_by, name: row.approved_by_name ?? '' },
          },
    hasSecret: row.has_secret,
  };
}
