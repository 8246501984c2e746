//! Makes the doors that people come in by: members of Surface B, and operators.
import { systemClock } from '@holdfast/kernel/clock';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import { type Config, ConfigurationFault } from './config.ts';
import { csrfTokenOf } from './http/session.ts';
import { MemberDoor } from './members/member-door.ts';
import { OperatorDoor } from './operators/operator-door.ts';
import { Passwords } from './platform/password.ts';
import type { Transactor } from './platform/transact.ts';

export interface Doors {
  readonly members: MemberDoor | undefined;
  readonly operators: OperatorDoor;
}

/** One line for all passwords: whoever hashes leaves cores for the others. */
export function wireDoors(config: Config, parts: Transactor): Doors {
  const passwords = new Passwords();
  return {
    members: wireMembers(config, parts, passwords),
    operators: wireOperators(config, parts, passwords),
  };
}

function wireOperators(config: Config, parts: Transactor, passwords: Passwords): OperatorDoor {
  const { HOLDFAST_OPERATOR_KEYS: keys, HOLDFAST_PUBLIC_URL: publicUrl, NODE_ENV } = config;
  // A browser keeps no secure cookie of plain http; only development is served over that.
  const isSecure = NODE_ENV === 'production' || publicUrl?.startsWith('https:') === true;
  // Authenticators show the time of the world, however far the sandbox's clock was set forward.
  const clock = config.HOLDFAST_SANDBOX_URL === undefined ? parts.clock : systemClock;
  return new OperatorDoor(
    { ...parts, clock },
    { keys, publicUrl, isSecure, passwords, csrfTokenOf },
  );
}

function wireMembers(
  config: Config,
  parts: Transactor,
  passwords: Passwords,
): MemberDoor | undefined {
  const {
    HOLDFAST_SURFACE_B_MARKETPLACE: marketplaceId,
    HOLDFAST_MEMBER_TOKEN_SECRET: tokenSecret,
  } = config;
  if (marketplaceId === undefined) return undefined;
  if (tokenSecret === undefined || tokenSecret === config.HOLDFAST_TOKEN_SECRET)
    throw new ConfigurationFault([
      'HOLDFAST_MEMBER_TOKEN_SECRET must be set, and differ from HOLDFAST_TOKEN_SECRET',
    ]);
  const named = marketplaceId as MarketplaceId;
  return new MemberDoor(parts, { marketplaceId: named, tokenSecret, passwords });
}
