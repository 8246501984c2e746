//! Who a session's token stands for, how its cookie looks, and what seals the secrets of codes.
import { refuse } from '@holdfast/contract/errors';
import { SESSION_SECONDS } from '@holdfast/contract/limits';
import type { Clock } from '@holdfast/kernel/clock';
import type { OperatorId } from '@holdfast/kernel/ids';
import type { OperatorActor, PersonActor } from '../platform/call.ts';
import type { Passwords } from '../platform/password.ts';
import type { Transactor } from '../platform/transact.ts';
import { type KeyWrapper, localKeyWrapper, type WrappedKey } from '../providers/key-wrapper.ts';
import { findEndedSeats, findSession, type Seated } from './session.ts';

/** What of a process operators need. */
export interface OperatorApp extends Transactor {
  readonly operators: OperatorDoor;
}

export interface OperatorDoorSettings {
  /** As `localKeyWrapper` reads them; undefined where nobody can sign in. */
  readonly keys: string | undefined;
  readonly publicUrl: string | undefined;
  /** Served over https: then the cookie is bound to this very host. */
  readonly isSecure: boolean;
  readonly passwords: Passwords;
  readonly csrfTokenOf: (sessionToken: string) => string;
}

interface Shown {
  readonly token: string;
  readonly userAgent: string;
  readonly marketplaceId: string | undefined;
}

export class OperatorDoor {
  readonly cookieName: string;
  readonly publicUrl: string | undefined;
  readonly passwords: Passwords;
  /** What codes and sessions go by. */
  readonly clock: Clock;
  readonly csrfTokenOf: OperatorDoorSettings['csrfTokenOf'];
  readonly #app: Transactor;
  readonly #isSecure: boolean;
  readonly #wrapper: KeyWrapper | undefined;

  constructor(app: Transactor, settings: OperatorDoorSettings) {
    const { keys, isSecure } = settings;
    this.#app = app;
    this.clock = app.clock;
    this.#isSecure = isSecure;
    this.#wrapper = keys === undefined ? undefined : localKeyWrapper(keys);
    this.cookieName = isSecure ? '__Host-holdfast_session' : 'holdfast_session';
    this.publicUrl = settings.publicUrl;
    this.passwords = settings.passwords;
    this.csrfTokenOf = settings.csrfTokenOf;
  }

  /** Undefined for whatever is no session, or none any more. */
  async identify({
    token,
    userAgent,
    marketplaceId,
  }: Shown): Promise<OperatorActor | PersonActor | undefined> {
    const found = await findSession(this.#app, token, userAgent, marketplaceId);
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
    return { kind: 'person', ...signedIn, isPlatformAdmin, strangeTo: marketplaceId ?? null };
  }

  /** Which of these sessions are over, or have no business in their marketplace any more. */
  async endedSeats(seated: readonly Seated[]): Promise<Seated[]> {
    return findEndedSeats(this.#app, seated);
  }

  /** No script reads it, no other site sends it, and over https no other host has set it. */
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
    const reason = 'HOLDFAST_OPERATOR_KEYS is not set: no operator can sign in';
    return this.#wrapper ?? refuse('SERVICE_UNAVAILABLE', { reason });
  }
}

/** A secret that is moved to another operator does not open. */
function contextOf(id: OperatorId): string {
  return `totp:${id}`;
}
