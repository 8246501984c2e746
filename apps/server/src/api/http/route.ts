//! The types of a route: how a request reaches its operation, and how the result is sent.
import type { BodyOf, DataOf, Endpoint, ParamsOf, QueryOf } from '@holdfast/contract/endpoint';
import type { FastifyRequest } from 'fastify';
import type {
  Call,
  Caller,
  MemberActor,
  OperatorActor,
  PersonActor,
  TenantActor,
} from '../../platform/call.ts';
import type { Page } from '../../platform/database/page.ts';
import type { Outlet } from '../../platform/outlet.ts';
import type { Meta } from './respond.ts';

export interface Input<E extends Endpoint> {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  /** The client's address, as far as the proxies in front are trusted. */
  readonly address: string;
  readonly userAgent: string;
  /** The header, unread. */
  readonly cookies: string | undefined;
}

/** How an operation's result becomes a response. */
export interface RouteResponse {
  readonly data: unknown;
  readonly status?: number;
  /** A replay carries the first response's meta. */
  readonly meta?: Meta;
  readonly isReplay?: boolean;
  readonly cookies?: readonly string[];
}

export interface Route<E extends Endpoint, R> {
  readonly run: (call: Call<CallerOf<E>>, input: Input<E>) => Promise<R>;
  readonly respond: (
    result: R,
  ) => E['success'] extends { readonly list: true } ? never : RouteResponse & { data: DataOf<E> };
  /** The data stored under an Idempotency-Key, where it must be less than the response. */
  readonly storedData?: (result: R) => DataOf<E>;
}

export interface ListRoute<E extends Endpoint, T> {
  readonly run: (call: Call<CallerOf<E>>, input: Input<E>) => Promise<Page<T>>;
  readonly item: (item: T) => DataOf<E>;
}

/** A response that may be long: generated while it is sent, as JSON or as a table. */
export interface DocumentRoute<E extends Endpoint, R> {
  readonly run: (call: Call<CallerOf<E>>, input: Input<E>) => Promise<R>;
  readonly json: (result: R, meta: Meta) => AsyncIterable<string>;
  readonly csv: (result: R) => AsyncIterable<string>;
}

export interface StreamRoute<E extends Endpoint> {
  /** Refuses, or returns a function that sends to the connection once it is open. */
  readonly open: (
    call: Call<CallerOf<E>>,
    input: Input<E>,
    headers: FastifyRequest['headers'],
  ) => Promise<(outlet: Outlet) => Promise<void>>;
}

/** Redirects a browser. The linking site may have added anything to the query. */
export interface RedirectRoute<E extends Endpoint> {
  readonly run: (input: Input<E>, added: Readonly<Record<string, unknown>>) => Promise<string>;
}

/** The raw body of a signed request: not parsed or verified yet. */
export interface RawInput {
  readonly requestId: string;
  readonly text: string;
  readonly header: (name: string) => string | undefined;
  /** Called for a request with an invalid signature: only those are limited, by address. */
  readonly countAddress: () => Promise<void>;
}

export interface RawRoute<E extends Endpoint> {
  readonly run: (input: RawInput) => Promise<DataOf<E>>;
}

/** A route for keys alone is never called by the master key, so its actor has a marketplace. */
export type CallerOf<E extends Endpoint> = E extends { readonly scope: 'member' }
  ? MemberActor
  : E extends { readonly scope: 'session' }
    ? PersonActor
    : E extends { readonly scope: 'operator' }
      ? OperatorActor | PlatformCallerOf<E>
      : E extends { readonly scope: 'master' | 'platform' | 'public' } | { readonly master: true }
        ? Caller
        : TenantActor | PlatformCallerOf<E>;

type PlatformCallerOf<E extends Endpoint> = E extends { readonly platform: true }
  ? PersonActor
  : never;
