//! Resolves a session's token to an operator, writes its cookie, and seals the secrets of codes.
import { refuse } from '@holdfast/contract/errors';
import { SESSION_SECONDS } from '@holdfast/contract/limits';
import type { Clock } from '@holdfast/kernel/clock';
import type { OperatorId } from '@holdfast/kernel/ids';
import type { OperatorActor, PersonActor } from '../../platform/call.ts';
import type { Transactor } from '../../platform/database/transact.ts';
import { fingerprint } from '../../platform/fingerprint.ts';
import type { Passwords } from '../../platform/password.ts';
import { UnseenLookups } from '../../platform/unseen-lookups.ts';
import {
  type KeyWrapper,
  localKeyWrapper,
  type WrappedKey,
} from '../../providers/signing/key-wrapper.ts';
import { findEndedMemberships, findSession, type SessionMembership } from './session.ts';

const SEEN_MAX = 10_000;

/** What operators need of the process. */
export interface OperatorApp extends Transactor {
  readonly operators: OperatorAuth;
}

export interface OperatorAuthSettings {
  /** As `localKeyWrapper` reads them; undefined where sign-in is off. */
  readonly keys: string | undefined;
  readonly publicUrl: string | undefined;
  /** Served over https: the cookie is then bound to this very host. */
  readonly isSecure: boolean;
  /** An operator can be created with a password: in development only. */
  readonly acceptsPasswords: boolean;
  readonly passwords: Passwords;
  readonly csrfTokenOf: (sessionToken: string) => string;
}

interface PresentedSession {
  readonly token: string;
  readonly userAgent: string;
  readonly marketplaceId: string | undefined;
  /** The bucket of the address that sent it. */
  readonly address: string;
}

export class OperatorAuth {
  readonly cookieName: string;
  readonly publicUrl: string | undefined;
  readonly acceptsPasswords: boolean;
  readonly passwords: Passwords;
  /** The clock of codes and sessions. */
  readonly clock: Clock;
  readonly csrfTokenOf: OperatorAuthSettings['csrfTokenOf'];
  readonly #app: Transactor;
  readonly #isSecure: boolean;
  readonly #wrapper: KeyWrapper | undefined;
  /** The hashes of tokens whose last lookup found a session. */
  readonly #seen = new Set<string>();
  readonly #unseen: UnseenLookups;

  constructor(app: Transactor, settings: OperatorAuthSettings) {
    const { keys, isSecure } = settings;
    this.#app = app;
    this.clock = app.clock;
    this.#unseen = new UnseenLookups(app.clock);
    this.#isSecure = isSecure;
    this.#wrapper = keys === undefined ? undefined : localKeyWrapper(keys);
    this.cookieName = isSecure ? '__Host-holdfast_session' : 'holdfast_session';
    this.publicUrl = settings.publicUrl;
    this.acceptsPasswords = settings.acceptsPasswords;
    this.passwords = settings.passwords;
    this.csrfTokenOf = settings.csrfTokenOf;
  }

  /**
   * Undefined for a token that is no session, or whose session has ended; refused when its address
   * has sent too many of those.
   */
  async identify(presented: PresentedSession): Promise<OperatorActor | PersonActor | undefined> {
    const { token, marketplaceId } = presented;
    const found = await this.#find(presented);
    if (found === undefined) return undefined;
    const { marketplace_id: marketplace, marketplace_public_id: publicId, role } = found;
    const signedIn = {
      id: found.operator_id,
      email: found.email,
      name: found.name,
      session: {
        id: found.session_id,
        csrfToken: this.csrfTokenOf(token),
        expiresAt: found.expires_at,
      },
      reason: null,
    };
    if (marketplace !== null && publicId !== null && role !== null)
      return { kind: 'operator', ...signedIn, marketplace, marketplaceId: publicId, role };
    const { is_platform_admin: isPlatformAdmin } = found;
    return {
      kind: 'person',
      ...signedIn,
      isPlatformAdmin,
      foreignMarketplaceId: marketplaceId ?? null,
    };
  }

  async #find({ token, userAgent, marketplaceId, address }: PresentedSession) {
    const hash = fingerprint(token);
    const find = () => findSession(this.#app, token, userAgent, marketplaceId);
    const found = await (this.#seen.has(hash) ? find() : this.#unseen.run(address, find));
    this.#seen.delete(hash);
    if (found === undefined) return undefined;
    if (this.#seen.size >= SEEN_MAX) this.#seen.delete(this.#seen.values().next().value as string);
    this.#seen.add(hash);
    return found;
  }

  /** Which of these sessions have ended, or have lost their membership. */
  async endedMemberships(memberships: readonly SessionMembership[]): Promise<SessionMembership[]> {
    return findEndedMemberships(this.#app, memberships);
  }

  /**
   * Scripts cannot read it, other sites cannot send it, and over https no other host can set it.
   */
  cookieOf(token: string): string {
    return this.#cookie(token, SESSION_SECONDS.maximum);
  }

  get endedCookie(): string {
    return this.#cookie('', 0);
  }

  #cookie(value: string, seconds: number): string {
    const secure = this.#isSecure ? '; Secure' : '';
    return `${this.cookieName}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
  }

  async sealTotp(secret: Uint8Array, id: OperatorId): Promise<WrappedKey> {
    return this.#keys().wrap(secret, contextOf(id));
  }

  async openTotp(sealed: WrappedKey, id: OperatorId): Promise<Uint8Array> {
    return this.#keys().unwrap(sealed, contextOf(id));
  }

  #keys(): KeyWrapper {
    const reason = 'HOLDFAST_OPERATOR_KEYS is not set';
    return this.#wrapper ?? refuse('SERVICE_UNAVAILABLE', { reason });
  }
}

/** A secret that is moved to another operator does not open. */
function contextOf(id: OperatorId): string {
  return `totp:${id}`;
}
