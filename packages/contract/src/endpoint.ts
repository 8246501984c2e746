//! The type of an endpoint: a row with its route, scope, schemas, and every status and error it can
//! return.
import type { Static, TSchema } from 'typebox';
import type { ErrorCode } from '#errors';
import type { EventName } from '#events';
import { type OperatorRole, rolesOf } from '#roles';

/**
 * Who may call: `public` anyone, `any` every valid key, `read`, `write` and `support` a key with
 * that scope, `master` the master key, `signature` a provider that signs, `member` the holder of a
 * Surface B token. `session` an operator who has signed in, `platform` a platform admin among them,
 * `operator` one with a role in the marketplace that the request names. `rolesOf` lists the other
 * endpoints that operators may call.
 */
export type Scope =
  | 'public'
  | 'any'
  | 'read'
  | 'write'
  | 'support'
  | 'master'
  | 'signature'
  | 'member'
  | 'session'
  | 'platform'
  | 'operator';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The action is not executed yet: the data is an approval that waits for another operator. */
export const APPROVAL_PENDING_STATUS = 202;

export interface Success {
  readonly status: number;
  /** Another status with the same shape, such as 200 for what existed already. */
  readonly also?: number;
  /** One item of it, when it is a list. */
  readonly data: TSchema;
  readonly list?: true;
}

/** The properties of a row; an absent one has the default of `Endpoint`. */
export interface EndpointRow {
  readonly scope: Scope;
  /** The master key may call it too. */
  readonly master?: true;
  /** A platform admin may call it too; where roles may as well, by naming no marketplace. */
  readonly platform?: true;
  /** Operators with these roles may call it. Without a word here `rolesOf` decides by the scope. */
  readonly operators?: readonly OperatorRole[];
  /**
   * A request of an operator needs the approval of another one: see approvals. `increase`: only
   * where it grants more than before.
   */
  readonly secondApprover?: 'always' | 'above-limit' | 'increase';
  /** Executes the request of another endpoint: its errors and events are that endpoint's. */
  readonly executesOther?: true;
  /** Refused when a browser sends it for another site, although no caller is known yet. */
  readonly sameOrigin?: true;
  /** Not a GET, but changes nothing. */
  readonly changesNothing?: true;
  /** Works while a database that was set back is recovered: all other changes are refused then. */
  readonly worksDuringRecovery?: true;
  /** An Idempotency-Key is honoured. */
  readonly idempotent?: true;
  readonly summary: string;
  readonly params?: TSchema;
  /** Headers of its own; those that every endpoint takes are not repeated here. */
  readonly headers?: TSchema;
  /** Names are camelCase; the server maps the snake_case spelling onto them, and decodes. */
  readonly query?: TSchema;
  readonly body?: TSchema;
  /** The body of the request is ignored. */
  readonly bodyRead?: 'none';
  readonly success: Success;
  /** Beyond those that every endpoint of its kind has: see `errorsOf`. */
  readonly errors?: readonly ErrorCode[];
  /** Errors that have another status than usual on this endpoint. */
  readonly statuses?: Partial<Record<ErrorCode, number>>;
  /**
   * In the order in which they are published; each outcome publishes its part of them. A SPLIT
   * publishes the events of the seller's part, then those of the buyer's part, each in this order.
   */
  readonly emits?: readonly EventName[];
  readonly surface?: 'b';
  /** Responses without the envelope: a bare JSON body, an event stream, a redirect, a file. */
  readonly rawResponse?: 'json' | 'event-stream' | 'redirect' | 'file';
  /** Sent piece by piece, and as a table when the query says `format=csv`. */
  readonly alsoCsv?: true;
}

export interface Endpoint extends Omit<EndpointRow, 'idempotent' | 'surface'> {
  readonly id: string;
  readonly method: Method;
  /** Below the surface's base, such as `/users/{userId}/balance`. */
  readonly path: string;
  readonly idempotent: boolean;
  readonly errors: readonly ErrorCode[];
  readonly emits: readonly EventName[];
  readonly origin: 'spec' | 'ours';
  /** Order, escrow, resolution and dispute routes: INVALID_STATE is 400 here. */
  readonly isOrderRoute: boolean;
  readonly surface: 'a' | 'b';
}

/** Keeps the literal types and schemas of a row, so that the shapes can be read off it. */
export type Defined<I extends string, M extends Method, P extends string, R> = Endpoint & {
  readonly id: I;
  readonly method: M;
  readonly path: P;
} & R;

const ORDER_ROUTE = /^\/(orders|disputes|escrow)(\/|$)/;

type Exact<R> = R & Record<Exclude<keyof R, keyof EndpointRow>, never>;

/** A row without a scope, or with a property that does not exist, does not compile. */
export function endpoint<
  const I extends string,
  const M extends Method,
  const P extends string,
  const R extends EndpointRow,
>(id: I, method: M, path: P, row: Exact<R>): Defined<I, M, P, R> {
  const defaults = { idempotent: false, errors: [], emits: [], origin: 'spec', surface: 'a' };
  const isOrderRoute = ORDER_ROUTE.test(path);
  return { ...defaults, ...row, id, method, path, isOrderRoute } as unknown as Defined<I, M, P, R>;
}

/** An endpoint beyond the specification. */
export function ownEndpoint<
  const I extends string,
  const M extends Method,
  const P extends string,
  const R extends EndpointRow,
>(id: I, method: M, path: P, row: Exact<R>): Defined<I, M, P, R> {
  return { ...endpoint<I, M, P, R>(id, method, path, row), origin: 'ours' };
}

type Shape<E, K extends string> = E extends { readonly [key in K]: infer S extends TSchema }
  ? Static<S>
  : undefined;

export type ParamsOf<E extends Endpoint> = Shape<E, 'params'>;
export type QueryOf<E extends Endpoint> = Shape<E, 'query'>;
export type BodyOf<E extends Endpoint> = Shape<E, 'body'>;
/** The data of the response; one item of it, when the endpoint is a list. */
export type DataOf<E extends Endpoint> = Static<E['success']['data']>;

/** Its response may take as long as the provider does. */
export function waitsForProvider({ errors, executesOther }: Endpoint): boolean {
  return errors.includes('PROVIDER_TIMEOUT') || executesOther === true;
}

/** No transaction of its own commits while the marketplace is frozen. */
export function isRefusedWhenFrozen({ errors, executesOther }: Endpoint): boolean {
  return errors.includes('MARKETPLACE_FROZEN') && executesOther !== true;
}

/** Every error that the endpoint can return: its own, and those that all of its kind have. */
export function errorsOf(endpoint: Endpoint): ErrorCode[] {
  const { scope, method } = endpoint;
  const isKeyed = scope !== 'public' && scope !== 'signature';
  const isForKeys = isKeyed && scope !== 'session' && scope !== 'operator';
  const hasRoles = rolesOf(endpoint).length > 0;
  const isPlatform = scope === 'platform' || endpoint.platform === true;
  const isChange = method !== 'GET' && endpoint.changesNothing !== true;
  const common: [ErrorCode, boolean][] = [
    ['VALIDATION_ERROR', isValidated(endpoint)],
    ['UNAUTHORIZED', isKeyed],
    ['INSUFFICIENT_SCOPE', isForKeys && scope !== 'any' && scope !== 'member'],
    ['OPERATOR_ROLE_REQUIRED', isKeyed && scope !== 'member' && scope !== 'session'],
    ['CSRF_REQUIRED', isKeyed && scope !== 'member'],
    ['MARKETPLACE_REQUIRED', hasRoles],
    ['MARKETPLACE_NOT_FOUND', hasRoles],
    ['REASON_REQUIRED', isChange && (hasRoles || isPlatform)],
    ['IDEMPOTENCY_KEY_REUSED', endpoint.idempotent],
    ['IDEMPOTENCY_KEY_IN_PROGRESS', endpoint.idempotent],
    ['PAYLOAD_TOO_LARGE', method !== 'GET'],
    ['UNSUPPORTED_MEDIA_TYPE', method !== 'GET' && endpoint.bodyRead !== 'none'],
    ['RATE_LIMITED', true],
    ['INTERNAL_ERROR', true],
    ['SERVICE_UNAVAILABLE', true],
    ['RECOVERING', isChange && endpoint.worksDuringRecovery !== true],
  ];
  const own = common.filter(([, has]) => has).map(([code]) => code);
  return [...new Set([...own, ...endpoint.errors])];
}

function isValidated(endpoint: Endpoint): boolean {
  const { params, query, body, idempotent } = endpoint;
  return idempotent || [params, query, body].some((schema) => schema !== undefined);
}

/** Names the parameters in a path: `/orders/{id}/milestones/{ref}/complete` has id and ref. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
}
