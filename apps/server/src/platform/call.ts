//! The caller and the request, passed from the HTTP layer to every operation.

import { randomUUID } from 'node:crypto';
import type { SCOPES } from '@holdfast/contract/enums';
import type { OperatorRole } from '@holdfast/contract/roles';
import type { Instant } from '@holdfast/kernel/clock';
import type {
  ApiKeyId,
  AuditId,
  MarketplaceId,
  NotificationId,
  OperationId,
  OperatorId,
  UserId,
} from '@holdfast/kernel/ids';
import type pg from 'pg';
import type { RowNumber } from './database/database.ts';
import type { Query } from './database/sql.ts';

export type KeyScope = (typeof SCOPES)[number];

/** A key bound to one marketplace. */
export interface KeyActor {
  readonly kind: 'key';
  readonly id: ApiKeyId;
  /** The first key of its rotation chain; idempotency keys are scoped to it. */
  readonly familyId: ApiKeyId;
  readonly name: string;
  readonly scopes: readonly KeyScope[];
  readonly marketplaceId: MarketplaceId;
  readonly marketplace: RowNumber;
  /** When the presented token expires; null for the key itself. */
  readonly tokenUntil: number | null;
  /** Its own rate limit, in place of that of all keys. */
  readonly requestsPerMinute: number | null;
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

/** An unidentified caller: may read public data, and reaches no table. */
export interface AnonymousActor {
  readonly kind: 'anonymous';
  readonly id: 'anonymous';
}

/** A person with a Surface B token, who acts only for themselves. */
export interface MemberActor {
  readonly kind: 'member';
  readonly id: UserId;
  readonly marketplace: RowNumber;
  /** When the presented token expires. */
  readonly tokenUntil: number;
}

/** The session of an operator's request. */
export interface Session {
  readonly id: RowNumber;
  /** Required in every request that changes something. */
  readonly csrfToken: string;
  /** At the latest. */
  readonly expiresAt: number;
}

interface SignedIn {
  readonly id: OperatorId;
  readonly email: string;
  readonly name: string;
  readonly session: Session;
  /** The operator's reason, recorded in the audit entry of each change they make. */
  readonly reason: string | null;
  /** The second approver, while an approved request is executed. */
  readonly approvedBy?: { readonly id: OperatorId; readonly name: string };
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
  readonly foreignMarketplaceId: string | null;
}

/** An operator who has signed in, in a marketplace or outside of all. */
export type SignedInActor = OperatorActor | PersonActor;

/** An actor within one marketplace. */
export type TenantActor = KeyActor | OperatorActor;

/** An actor that can authenticate. */
export type Caller = KeyActor | MasterActor | MemberActor | OperatorActor | PersonActor;

export type Actor = Caller | SystemActor | ProviderActor | AnonymousActor;

/** The operator's reason, joined with the action's own reason where that differs. */
export function reasonWith(actor: Actor, own: string | null): string | null {
  const given = 'reason' in actor ? actor.reason : null;
  if (!given || !own || given.includes(own)) return given || own;
  return `${given}; ${own}`;
}

/** The data of an Idempotency-Key that is known before its request runs. */
export interface IdempotencyClaim {
  readonly key: string;
  /** Covers key family, method, path and key. */
  readonly scopeHash: string;
  readonly requestHash: string;
  /** Builds the whole response to store from the operation's result. */
  readonly render: (result: unknown) => StoredResponse;
  /** Instead of a response, while there is none: the operation that will give it. */
  readonly operationOf?: (result: unknown) => string;
  /** Builds the whole response of a refusal; undefined when it must not be stored. */
  readonly renderRefusal: (refusal: Error) => StoredResponse | undefined;
  /** Called once a refusal is stored under the key. */
  readonly onRefusalStored?: () => void;
}

export interface StoredResponse {
  readonly status: number;
  readonly body: string;
}

/** Where a request came from. Its audit records and its line in the request log name it. */
export interface Client {
  /** As far as the proxies in front are trusted; null where the text is no address. */
  readonly address: string | null;
  readonly userAgent: string | null;
}

export interface Call<A extends Actor = Actor> {
  readonly actor: A;
  readonly requestId: string;
  readonly idempotency: IdempotencyClaim | undefined;
  /** The operation or notification that this work is for; its events name it. */
  readonly causationId?: OperationId | NotificationId;
  /** Its endpoint declares MARKETPLACE_FROZEN: no transaction of it commits under such a stop. */
  readonly movesMoney?: boolean;
  /** Part of mending a database that was set back: its transactions commit while others cannot. */
  readonly worksDuringRecovery?: boolean;
  /** Undefined for work that no request waits for. */
  readonly client?: Client | undefined;
  /** Last in the transaction of the request: records it, or throws to have it rolled back. */
  readonly beforeCommit?: (tx: Tx) => Promise<void>;
  /** Called once a write is committed, or was before, that the response will acknowledge. */
  readonly onWrite?: ((write: CommittedWrite) => void) | undefined;
}

/** A repeated request acknowledges what the first one wrote. */
export interface CommittedWrite {
  /** Of its audit record, its journal entry or its operation; else the scope of its key. */
  readonly id: string;
  readonly requestId: string;
  readonly at: Instant;
}

/** An open transaction. Every function that takes part in a change requires one. */
export interface Tx {
  readonly now: Instant;
  readonly actor: Actor;
  readonly requestId: string;
  /** The marketplace whose rows this transaction sees. */
  readonly marketplace: RowNumber;
  query<Row extends pg.QueryResultRow>(query: Query): Promise<Row[]>;
  /** For an audit record, which makes the transaction a write of its request. */
  recordWrite(auditId: AuditId): void;
}

/** What is known of a request before its caller. */
export type RequestOrigin = Pick<Call, 'requestId' | 'client'>;

/** The row number for records outside all marketplaces: the house, and actions on operators. */
export const NO_MARKETPLACE: RowNumber = '0';

/** A call without a caller: background work for one marketplace, under its own correlation id. */
export function systemCall(marketplace: RowNumber): Call<SystemActor> {
  const actor: SystemActor = { kind: 'system', id: 'system', marketplace };
  return { actor, requestId: randomUUID(), idempotency: undefined };
}

/** Thrown out of a transaction whose request was made before. Not an error. */
export abstract class RepeatedRequest extends Error {}

/** It has a stored response. */
export class Replay extends RepeatedRequest {
  readonly response: StoredResponse;
  constructor(response: StoredResponse) {
    super('response already stored');
    this.response = response;
  }
}

/** Its response is still open: the operation will give it. */
export class OpenRequest extends RepeatedRequest {
  readonly operationId: string;
  constructor(operationId: string) {
    super('response still open');
    this.operationId = operationId;
  }
}
