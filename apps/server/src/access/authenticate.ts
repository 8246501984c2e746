//! Tells who a bearer is: an API key, a token made from one, or the master key.
import { timingSafeEqual } from 'node:crypto';
import type { Clock, Instant } from '@holdfast/kernel/clock';
import { instantText } from '@holdfast/kernel/clock';
import type { ApiKeyId, MarketplaceId } from '@holdfast/kernel/ids';
import type pg from 'pg';
import type { Caller, KeyActor, KeyScope } from '../platform/call.ts';
import type { Log } from '../platform/log.ts';
import { isKeyText, secretHash } from './key-text.ts';
import type { TokenKey } from './token.ts';

/** How long a key that was looked up is believed: the longest a revoked one still works. */
const BELIEVED_MS = 1000;
const KNOWN_MAX = 50_000;
const USE_NOTED_EVERY_MS = 15_000;

interface Known {
  readonly actor: KeyActor;
  readonly expiresAt: Instant;
  readonly readAt: Instant;
}

interface KeyRow {
  id: ApiKeyId;
  family_id: ApiKeyId;
  name: string;
  scopes: KeyScope[];
  expires_at: Instant | null;
  revoked_at: Instant | null;
  marketplace_id: string;
  marketplace_public_id: MarketplaceId;
}

export interface AuthenticatorParts {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly log: Log;
  readonly masterKeyHash: string;
  readonly tokens: TokenKey;
}

export class Authenticator {
  readonly #parts: AuthenticatorParts;
  readonly #master: Buffer;
  readonly #known = new Map<string, Known>();
  readonly #used = new Map<ApiKeyId, Instant>();
  readonly #noting: NodeJS.Timeout;

  constructor(parts: AuthenticatorParts) {
    this.#parts = parts;
    this.#master = Buffer.from(parts.masterKeyHash, 'hex');
    this.#noting = setInterval(() => void this.#noteUse(), USE_NOTED_EVERY_MS).unref();
  }

  /** At once for a key seen within the last second; else it asks. Undefined for a stranger. */
  identify(bearer: string): Caller | undefined | Promise<Caller | undefined> {
    const hash = secretHash(bearer);
    const known = this.#known.get(hash);
    const now = this.#parts.clock.now();
    if (known !== undefined && now - known.readAt < BELIEVED_MS) {
      if (known.expiresAt <= now) return undefined;
      this.#used.set(known.actor.id, now);
      return known.actor;
    }
    if (timingSafeEqual(Buffer.from(hash, 'hex'), this.#master))
      return { kind: 'master', id: 'master' };
    if (isKeyText(bearer)) return this.#lookUp(hash, { hash });
    if (bearer.startsWith('eyJ')) return this.#identifyToken(bearer, hash);
    return undefined;
  }

  /** Which of these keys are over, by now. */
  async endedKeys(ids: readonly ApiKeyId[]): Promise<ApiKeyId[]> {
    const { rows } = await this.#parts.pool.query<{ id: ApiKeyId }>({
      name: 'ended-keys',
      text: 'select access.ended_keys($1, $2) as id',
      values: [ids, instantText(this.#parts.clock.now())],
    });
    return rows.map(({ id }) => id);
  }

  async close(): Promise<void> {
    clearInterval(this.#noting);
    await this.#noteUse();
  }

  async #identifyToken(bearer: string, hash: string): Promise<Caller | undefined> {
    const claims = await this.#parts.tokens.verify(bearer);
    if (claims === undefined) return undefined;
    return this.#lookUp(hash, {
      id: claims.apiKeyId,
      scopes: claims.scopes,
      until: claims.expiresAt,
    });
  }

  async #lookUp(
    cacheKey: string,
    wanted: { hash: string } | { id: ApiKeyId; scopes: readonly string[]; until: Instant },
  ): Promise<KeyActor | undefined> {
    const now = this.#parts.clock.now();
    const { rows } = await this.#parts.pool.query<KeyRow>({
      name: 'find-api-key',
      text: 'select * from access.find_api_key($1, $2)',
      values: 'hash' in wanted ? [Buffer.from(wanted.hash, 'hex'), null] : [null, wanted.id],
    });
    const [row] = rows;
    this.#known.delete(cacheKey);
    const until = Math.min(
      row?.expires_at ?? Infinity,
      'until' in wanted ? wanted.until : Infinity,
    );
    if (row === undefined || row.revoked_at !== null || until <= now) return undefined;
    const actor: KeyActor = {
      kind: 'key',
      id: row.id,
      familyId: row.family_id,
      name: row.name,
      scopes: 'scopes' in wanted ? row.scopes.filter((s) => wanted.scopes.includes(s)) : row.scopes,
      marketplaceId: row.marketplace_public_id,
      marketplace: row.marketplace_id,
      tokenUntil: 'until' in wanted ? wanted.until : null,
    };
    if (this.#known.size >= KNOWN_MAX)
      this.#known.delete(this.#known.keys().next().value as string);
    this.#known.set(cacheKey, { actor, expiresAt: until, readAt: now });
    this.#used.set(actor.id, now);
    return actor;
  }

  /** In passing: a lost note costs nothing but freshness. */
  async #noteUse(): Promise<void> {
    if (this.#used.size === 0) return;
    const uses = [...this.#used];
    this.#used.clear();
    try {
      await this.#parts.pool.query('select access.note_key_use($1, $2)', [
        uses.map(([id]) => id),
        uses.map(([, at]) => instantText(at)),
      ]);
    } catch (error) {
      this.#parts.log.warn({ reason: (error as Error).message }, 'miss key use');
    }
  }
}
