//! Short-lived tokens: signed, for Surface A only, never stronger than the key they came from.
import type { Clock, Instant } from '@holdfast/kernel/clock';
import { type ApiKeyId, readId } from '@holdfast/kernel/ids';
import { jwtVerify, SignJWT } from 'jose';

const ISSUER = 'holdfast';
const AUDIENCE = 'holdfast:surface-a';
const TYPE = 'hf-token+jwt';

export interface TokenClaims {
  readonly apiKeyId: ApiKeyId;
  readonly scopes: readonly string[];
  readonly expiresAt: Instant;
}

export interface TokenKey {
  sign(claims: TokenClaims): Promise<string>;
  /** Undefined unless the token is exactly as issued. */
  verify(token: string): Promise<TokenClaims | undefined>;
}

export function tokenKey(secret: string, clock: Clock): TokenKey {
  const key = new TextEncoder().encode(secret);
  return {
    sign: ({ apiKeyId, scopes, expiresAt }) =>
      new SignJWT({ scopes })
        .setProtectedHeader({ alg: 'HS256', typ: TYPE })
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setSubject(apiKeyId)
        .setIssuedAt(Math.floor(clock.now() / 1000))
        .setExpirationTime(Math.floor(expiresAt / 1000))
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
      if (verified === undefined) return undefined;
      const { sub, exp, scopes } = verified.payload;
      const apiKeyId = readId('key', sub ?? '');
      if (apiKeyId === undefined || !Array.isArray(scopes)) return undefined;
      return { apiKeyId, scopes: scopes.map(String), expiresAt: (exp as number) * 1000 };
    },
  };
}
