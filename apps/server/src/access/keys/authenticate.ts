//! Identifies a bearer: an API key, a token issued for one, or the master key.
import { timingSafeEqual } from 'node:crypto';
import type { Clock, Instant } from '@holdfast/kernel/clock';
import { instantText } from '@holdfast/kernel/clock';
import type { ApiKeyId, MarketplaceId } from '@holdfast/kernel/ids';
import type pg from 'pg';
import type { Caller, KeyActor, KeyScope } from '../../platform/call.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Log } from '../../platform/process/log.ts';
import { UnseenLookups } from '../../platform/unseen-lookups.ts';
import { isKeyText, secretHash } from './key-text.ts';
import type { TokenKey } from './token.ts';

/** How long a cached key is trusted: the longest time a revoked one still works. */
const CACHE_MS = 1000;
const KNOWN_MAX = 50_000;
const USE_RECORD_INTERVAL_MS = 15_000;
/** A key that was valid so recently is looked up at once, and from any address. */
const SEEN_MS = 86_400_000;

interface Known {
  readonly actor: KeyActor;
  readonly expiresAt: Instant;
  readonly readAt: Instant;
}

type KeyRow = Row<
  'api_key',
  | 'id'
  | 'family_id'
  | 'name'
  | 'scopes'
  | 'expires_at'
  | 'revoked_at'
  | 'requests_per_minute'
  | 'marketplace_id',
  { id: ApiKeyId; family_id: ApiKeyId; scopes: KeyScope[] }
> & { marketplace_public_id: MarketplaceId };

export interface AuthenticatorDeps {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly log: Log;
  readonly masterKeyHash: string;
  readonly tokens: TokenKey;
}

export class Authenticator {
  readonly #deps: AuthenticatorDeps;
  readonly #master: Buffer;
  readonly #known = new Map<string, Known>();
  readonly #used = new Map<ApiKeyId, Instant>();
  readonly #unseen: UnseenLookups;
  readonly #noting: NodeJS.Timeout;

  constructor(deps: AuthenticatorDeps) {
    this.#deps = deps;
    this.#master = Buffer.from(deps.masterKeyHash, 'hex');
    this.#unseen = new UnseenLookups(deps.clock);
    this.#noting = setInterval(() => void this.#noteUse(), USE_RECORD_INTERVAL_MS).unref();
  }

  /**
   * Synchronous for a key seen within the last second; else it queries. Undefined for an unknown
   * one, and refused when its address has sent too many of those.
   */
  identify(bearer: string, address: string): Caller | undefined | Promise<Caller | undefined> {
    const hash = secretHash(bearer);
    const known = this.#known.get(hash);
    const now = this.#deps.clock.now();
    if (known !== undefined && now - known.readAt < CACHE_MS) return this.#use(known, now);
    if (timingSafeEqual(Buffer.from(hash, 'hex'), this.#master))
      return { kind: 'master', id: 'master' };
    if (isKeyText(bearer)) {
      const isSeen = known !== undefined && now - known.readAt < SEEN_MS;
      return isSeen ? this.#lookup(hash, { hash }) : this.#lookupUnseen(hash, address);
    }
    if (bearer.startsWith('eyJ')) return this.#identifyToken(bearer, hash);
    return undefined;
  }

  #use({ actor, expiresAt }: Known, now: Instant): KeyActor | undefined {
    if (expiresAt <= now) return undefined;
    this.#used.set(actor.id, now);
    return actor;
  }

  /** Which of these keys have ended by now. */
  async endedKeys(ids: readonly ApiKeyId[]): Promise<ApiKeyId[]> {
    const { rows } = await this.#deps.pool.query<{ id: ApiKeyId }>({
      name: 'ended-keys',
      text: 'select access.inactive_keys($1, $2) as id',
      values: [ids, instantText(this.#deps.clock.now())],
    });
    return rows.map(({ id }) => id);
  }

  async close(): Promise<void> {
    clearInterval(this.#noting);
    await this.#noteUse();
  }

  async #identifyToken(bearer: string, hash: string): Promise<Caller | undefined> {
    const claims = await this.#deps.tokens.verify(bearer);
    if (claims === undefined) return undefined;
    return this.#lookup(hash, {
      id: claims.apiKeyId,
      scopes: claims.scopes,
      until: claims.expiresAt,
    });
  }

  #lookupUnseen(hash: string, address: string): Promise<KeyActor | undefined> {
    return this.#unseen.run(address, async () => {
      const now = this.#deps.clock.now();
      const known = this.#known.get(hash);
      // Another request has brought it meanwhile.
      const isFresh = known !== undefined && now - known.readAt < CACHE_MS;
      return isFresh ? this.#use(known, now) : this.#lookup(hash, { hash });
    });
  }

  async #lookup(
    cacheKey: string,
    wanted: { hash: string } | { id: ApiKeyId; scopes: readonly string[]; until: Instant },
  ): Promise<KeyActor | undefined> {
    const now = this.#deps.clock.now();
    const { rows } = await this.#deps.pool.query<KeyRow>({
      name: 'find-api-key',
      text: 'select * from access.identify_api_key($1, $2)',
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
      requestsPerMinute: row.requests_per_minute,
    };
    if (this.#known.size >= KNOWN_MAX)
      this.#known.delete(this.#known.keys().next().value as string);
    this.#known.set(cacheKey, { actor, expiresAt: until, readAt: now });
    this.#used.set(actor.id, now);
    return actor;
  }

  /** Best effort: a lost write only makes the time of last use less fresh. */
  async #noteUse(): Promise<void> {
    if (this.#used.size === 0) return;
    const uses = [...this.#used];
    this.#used.clear();
    try {
      await this.#deps.pool.query('select access.record_key_use($1, $2)', [
        uses.map(([id]) => id),
        uses.map(([, at]) => instantText(at)),
      ]);
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'key usage not recorded');
    }
  }
}
