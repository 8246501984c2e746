//! Builds the authentication of people: members of Surface B, and operators.
import { systemClock } from '@holdfast/kernel/clock';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import { findCredentials } from '../access/operators/operator.ts';
import { OperatorAuth } from '../access/operators/operator-auth.ts';
import { RefusedSignIns } from '../access/operators/refused-sign-ins.ts';
import { csrfTokenOf } from '../api/http/session.ts';
import { MemberAuth } from '../members/account/member-auth.ts';
import type { Config } from '../platform/config/config.ts';
import { isServedOverHttps } from '../platform/config/features.ts';
import type { Transactor } from '../platform/database/transact.ts';
import { Passwords } from '../platform/password.ts';

export interface Auth {
  readonly members: MemberAuth | undefined;
  readonly operators: OperatorAuth;
  readonly refusedSignIns: RefusedSignIns;
}

/** All passwords share a few slots, so that hashing leaves cores for other requests. */
export function wireAuth(config: Config, deps: Transactor): Auth {
  const passwords = new Passwords({
    isStrict: config.HOLDFAST_PASSWORD_RULES === 'strict',
    waitingPerAddress: config.HOLDFAST_SIGN_INS_PER_ADDRESS,
  });
  const members = wireMembers(config, deps, passwords);
  return {
    members,
    operators: wireOperators(config, deps, passwords),
    refusedSignIns: new RefusedSignIns(deps, async (flow, email) =>
      flow === 'operator' ? (await findCredentials(deps, email))?.id : members?.findAccount(email),
    ),
  };
}

function wireOperators(config: Config, deps: Transactor, passwords: Passwords): OperatorAuth {
  const { HOLDFAST_OPERATOR_KEYS: keys, HOLDFAST_PUBLIC_URL: publicUrl } = config;
  const isSecure = isServedOverHttps(config);
  // Authenticators show real time, even when the sandbox's clock was set forward.
  const clock = config.HOLDFAST_SANDBOX_URL === undefined ? deps.clock : systemClock;
  return new OperatorAuth(
    { ...deps, clock },
    {
      keys,
      publicUrl,
      isSecure,
      acceptsPasswords: config.NODE_ENV !== 'production',
      passwords,
      csrfTokenOf,
    },
  );
}

function wireMembers(
  config: Config,
  deps: Transactor,
  passwords: Passwords,
): MemberAuth | undefined {
  const {
    HOLDFAST_SURFACE_B_MARKETPLACE: marketplaceId,
    HOLDFAST_MEMBER_TOKEN_SECRET: tokenSecret,
  } = config;
  // A worker has no such secret: it serves no members.
  if (marketplaceId === undefined || tokenSecret === undefined) return undefined;
  const named = marketplaceId as MarketplaceId;
  const registrations = {
    perAddress: config.HOLDFAST_REGISTRATIONS_PER_ADDRESS,
    inAll: config.HOLDFAST_REGISTRATIONS_PER_HOUR,
  };
  return new MemberAuth(deps, { marketplaceId: named, tokenSecret, passwords, registrations });
}
