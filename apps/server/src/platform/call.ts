//! Who is calling, in which request: handed from the edge to every operation.

import { randomUUID } from 'node:crypto';
import type { OperatorRole } from '@holdfast/contract/roles';
import type { SCOPES } from '@holdfast/contract/words';
import type { ApiKeyId, MarketplaceId, OperatorId, UserId } from '@holdfast/kernel/ids';
import type { RowNumber } from './database.ts';

export type KeyScope = (typeof SCOPES)[number];

/** A key bound to one marketplace. */
export interface KeyActor {
  readonly kind: 'key';
  readonly id: ApiKeyId;
  /** The first key of its rotation chain: what idempotency keys are scoped to. */
  readonly familyId: ApiKeyId;
  readonly name: string;
  readonly scopes: readonly KeyScope[];
  readonly marketplaceId: MarketplaceId;
  readonly marketplace: RowNumber;
  /** When the token that was shown ends; null for the key itself. */
  readonly tokenUntil: number | null;
}

export interface MasterActor {
  readonly kind: 'master';
  readonly id: 'master';
}

/** The service itself, at work for one marketplace. */
export interface SystemActor {
  readonly kind: 'system';
  readonly id: 'system';
  readonly marketplace: RowNumber;
}

/** A provider that has proven who it is, about something of one marketplace. */
export interface ProviderActor {
  readonly kind: 'provider';
  readonly id: 'escrow-provider' | 'payment-provider';
  readonly marketplace: RowNumber;
}

/** Nobody in particular: may read what is public, and reaches no table. */
export interface AnonymousActor {
  readonly kind: 'anonymous';
  readonly id: 'anonymous';
}

/** A person with a Surface B token: acts for nobody else. */
export interface MemberActor {
  readonly kind: 'member';
  readonly id: UserId;
  readonly marketplace: RowNumber;
  /** When the token that was shown ends. */
  readonly tokenUntil: number;
}

/** The session that an operator's request came with. */
export interface Session {
  readonly id: RowNumber;
  /** What a request that changes something must bring along. */
  readonly csrfToken: string;
  /** At the latest. */
  readonly expiresAt: number;
}

interface SignedIn {
  readonly id: OperatorId;
  readonly email: string;
  readonly name: string;
  readonly session: Session;
  /** Why they do it: stands in the audit entry of whatever they change. */
  readonly reason: string | null;
}

/** An operator at work in one marketplace, by the role that they have there. */
export interface OperatorActor extends SignedIn {
  readonly kind: 'operator';
  readonly role: OperatorRole;
  readonly marketplaceId: MarketplaceId;
  readonly marketplace: RowNumber;
}

/** An operator outside of all marketplaces: about themselves, or about the platform. */
export interface PersonActor extends SignedIn {
  readonly kind: 'person';
  readonly isPlatformAdmin: boolean;
  /** A marketplace that the request named, and that is not theirs. */
  readonly strangeTo: string | null;
}

/** Whoever acts within one marketplace. */
export type TenantActor = KeyActor | OperatorActor;

/** Who can stand at the door. */
export type Caller = KeyActor | MasterActor | MemberActor | OperatorActor | PersonActor;

export type Actor = Caller | SystemActor | ProviderActor | AnonymousActor;

/** What an operator said, and what the deed itself has to say where that is something else. */
export function reasonWith(actor: Actor, own: string | null): string | null {
  const said = 'reason' in actor ? actor.reason : null;
  if (!said || !own || said.includes(own)) return said || own;
  return `${said}; ${own}`;
}

/** What is known of an Idempotency-Key before its request runs. */
export interface IdempotencyClaim {
  readonly key: string;
  /** Covers key family, method, path and key. */
  readonly scopeHash: string;
  readonly requestHash: string;
  /** The whole answer to keep, made from the operation's result. */
  readonly render: (result: unknown) => StoredAnswer;
  /** The whole answer of a refusal, or nothing when it is not one to keep. */
  readonly renderRefusal: (refusal: Error) => StoredAnswer | undefined;
}

export interface StoredAnswer {
  readonly status: number;
  readonly body: string;
}

export interface Call<A extends Actor = Actor> {
  readonly actor: A;
  readonly requestId: string;
  readonly idempotency: IdempotencyClaim | undefined;
}

/** Where what is no marketplace's own stands: the house, and deeds about operators. */
export const NO_MARKETPLACE: RowNumber = '0';

/**
 * A call that nobody made: background work for one marketplace, under a correlation id of its
 * own.
 */
export function systemCall(marketplace: RowNumber): Call<SystemActor> {
  const actor: SystemActor = { kind: 'system', id: 'system', marketplace };
  return { actor, requestId: randomUUID(), idempotency: undefined };
}

/** Thrown out of a transaction that finds its request answered before. Not an error. */
export class Replay extends Error {
  readonly answer: StoredAnswer;
  constructor(answer: StoredAnswer) {
    super('answered before');
    this.answer = answer;
  }
}
