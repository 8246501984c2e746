//! Resolves a member's token, and names the marketplace that members belong to.
import { createHmac } from 'node:crypto';
import type { MarketplaceId, UserId } from '@holdfast/kernel/ids';
import {
  type Call,
  type MemberActor,
  type RequestOrigin,
  type SystemActor,
  systemCall,
} from '../../platform/call.ts';
import type { RowNumber } from '../../platform/database/database.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { emailKey } from '../../platform/email-key.ts';
import type { Passwords } from '../../platform/password.ts';
import { findMember, findMemberByEmail } from './member.ts';
import { type MemberTokens, memberTokens } from './member-token.ts';
import type { RegistrationLimits } from './registration-count.ts';
import { type Challenge, isProof, newChallenge, type Proof } from './wallet-challenge.ts';

/** What members need of the process. */
export interface MemberApp extends Transactor {
  readonly members: MemberAuth;
}

export interface MemberAuthSettings {
  readonly marketplaceId: MarketplaceId;
  readonly tokenSecret: string;
  readonly passwords: Passwords;
  readonly registrations: RegistrationLimits;
}

export class MemberAuth {
  readonly marketplaceId: MarketplaceId;
  readonly passwords: Passwords;
  readonly registrations: RegistrationLimits;
  readonly tokens: MemberTokens;
  readonly #app: Transactor;
  readonly #secret: string;
  #marketplace: RowNumber | undefined;

  constructor(app: Transactor, settings: MemberAuthSettings) {
    this.#app = app;
    this.#secret = settings.tokenSecret;
    this.passwords = settings.passwords;
    this.registrations = settings.registrations;
    this.marketplaceId = settings.marketplaceId;
    this.tokens = memberTokens(settings.tokenSecret, settings.marketplaceId, app.clock);
  }

  /** A call of the system in the members' marketplace, before the member is known. */
  async call({ requestId, client }: RequestOrigin): Promise<Call<SystemActor>> {
    return { ...systemCall(await this.#number()), requestId, client };
  }

  /**
   * Undefined for a bearer that is no valid token of an active member. Read on each request, since
   * tokens can end and users can be frozen.
   */
  async identify(bearer: string): Promise<MemberActor | undefined> {
    const claims = await this.tokens.verify(bearer);
    if (claims === undefined) return undefined;
    const marketplace = await this.#number();
    const { userId: id, expiresAt: tokenUntil } = claims;
    const member = await read(this.#app, systemCall(marketplace), (tx) => findMember(tx, id));
    if (!member?.isActive || claims.issuedAt < member.tokensSince) return undefined;
    return { kind: 'member', id, marketplace, tokenUntil };
  }

  /** The account of an e-mail address, if there is one. */
  async findAccount(email: string): Promise<UserId | undefined> {
    const call = systemCall(await this.#number());
    const member = await read(this.#app, call, (tx) => findMemberByEmail(tx, email));
    return member?.userId;
  }

  /** The same for an address each time, and it reveals nothing of the address. */
  externalIdOf(email: string): string {
    const mac = createHmac('sha256', this.#secret).update(`external-id:${emailKey(email)}`);
    return `member:${mac.digest('hex').slice(0, 32)}`;
  }

  challenge(userId: UserId, publicKey: string): Challenge {
    return newChallenge(this.#secret, userId, publicKey, this.#app.clock.now());
  }

  isProof(userId: UserId, publicKey: string, proof: Proof): boolean {
    return isProof(this.#secret, userId, publicKey, proof, this.#app.clock.now());
  }

  async #number(): Promise<RowNumber> {
    if (this.#marketplace !== undefined) return this.#marketplace;
    const { rows } = await this.#app.pool.query<{ id: RowNumber | null }>(
      'select access.find_marketplace($1) as id',
      [this.marketplaceId],
    );
    const id = rows[0]?.id;
    if (!id) throw new Error(`there is no marketplace ${this.marketplaceId}`);
    this.#marketplace = id;
    return id;
  }
}
