//! Tokens of members: for Surface B only, an hour long, signed with a key of their own.
import type { Clock, Instant } from '@holdfast/kernel/clock';
import { type MarketplaceId, readId, type UserId } from '@holdfast/kernel/ids';
import { jwtVerify, SignJWT } from 'jose';

const ISSUER = 'holdfast';
const AUDIENCE = 'holdfast:surface-b';
const TYPE = 'hf-member+jwt';
const KEY_ID = 'member-1';
const LIFETIME_SECONDS = 3600;

export interface MemberClaims {
  readonly userId: UserId;
  readonly issuedAt: Instant;
  readonly expiresAt: Instant;
}

export interface MemberTokens {
  sign(userId: UserId, at: Instant): Promise<string>;
  /** Undefined unless every claim of the token is as it was issued. */
  verify(token: string): Promise<MemberClaims | undefined>;
}

/** A token names the marketplace as well: a token of another deployment is invalid here. */
export function memberTokens(
  secret: string,
  marketplace: MarketplaceId,
  clock: Clock,
): MemberTokens {
  const key = new TextEncoder().encode(secret);
  return {
    sign: (userId, at) =>
      // To the millisecond: a member who logs out and in again within a second has a valid token.
      new SignJWT({ at, mkt: marketplace })
        .setProtectedHeader({ alg: 'HS256', typ: TYPE, kid: KEY_ID })
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setSubject(userId)
        .setIssuedAt(Math.floor(at / 1000))
        .setExpirationTime(Math.floor(at / 1000) + LIFETIME_SECONDS)
        .sign(key),
    verify: async (token) => {
      const verified = await jwtVerify(token, key, {
        algorithms: ['HS256'],
        typ: TYPE,
        issuer: ISSUER,
        audience: AUDIENCE,
        requiredClaims: ['sub', 'exp', 'iat'],
        currentDate: new Date(clock.now()),
      }).catch(() => undefined);
      if (verified?.protectedHeader.kid !== KEY_ID) return undefined;
      const { sub, exp, at, mkt } = verified.payload;
      const userId = readId('usr', sub ?? '');
      if (userId === undefined || typeof at !== 'number' || mkt !== marketplace) return undefined;
      return { userId, issuedAt: at, expiresAt: (exp as number) * 1000 };
    },
  };
}
