//! What a route is made of: how a request reaches its operation, and how the result goes out.
import type { BodyOf, DataOf, Endpoint, ParamsOf, QueryOf } from '@holdfast/contract/endpoint';
import type { FastifyRequest } from 'fastify';
import type {
  Call,
  Caller,
  MemberActor,
  OperatorActor,
  PersonActor,
  TenantActor,
} from '../platform/call.ts';
import type { Outlet } from '../platform/outlet.ts';
import type { Page } from '../platform/page.ts';
import type { Meta } from './respond.ts';

export interface Input<E extends Endpoint> {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  /** Where the request came from, as far as the proxies in front are trusted. */
  readonly address: string;
  readonly userAgent: string;
}

/** What of an operation's result goes out, and how. */
export interface Answer {
  readonly data: unknown;
  readonly status?: number;
  /** A replay carries the first answer's. */
  readonly meta?: Meta;
  readonly isReplay?: boolean;
  readonly cookie?: string;
}

export interface Route<E extends Endpoint, R> {
  readonly run: (call: Call<CallerOf<E>>, input: Input<E>) => Promise<R>;
  readonly answer: (
    result: R,
  ) => E['success'] extends { readonly list: true } ? never : Answer & { data: DataOf<E> };
  /** What is kept under an Idempotency-Key, where that must be less than the answer. */
  readonly keep?: (result: R) => DataOf<E>;
}

export interface ListRoute<E extends Endpoint, T> {
  readonly run: (call: Call<CallerOf<E>>, input: Input<E>) => Promise<Page<T>>;
  readonly item: (item: T) => DataOf<E>;
}

/** An answer that may be long: made while it is sent, as JSON or as a table. */
export interface DocumentRoute<E extends Endpoint, R> {
  readonly run: (call: Call<CallerOf<E>>, input: Input<E>) => Promise<R>;
  readonly json: (result: R, meta: Meta) => AsyncIterable<string>;
  readonly csv: (result: R) => AsyncIterable<string>;
}

export interface StreamRoute<E extends Endpoint> {
  /** Refuses, or returns what sends to the connection once it is open. */
  readonly open: (
    call: Call<CallerOf<E>>,
    input: Input<E>,
    headers: FastifyRequest['headers'],
  ) => Promise<(outlet: Outlet) => Promise<void>>;
}

/** Tells a browser where to go. Whoever sent it here may have added what they like to the query. */
export interface RedirectRoute<E extends Endpoint> {
  readonly run: (input: Input<E>, added: Readonly<Record<string, unknown>>) => Promise<string>;
}

/** What whoever signs has sent: nobody has looked into it yet. */
export interface RawInput {
  readonly requestId: string;
  readonly text: string;
  readonly header: (name: string) => string | undefined;
  /** For what proves not to be signed: only that is limited, by address. */
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
      ? OperatorActor
      : E extends { readonly scope: 'master' | 'platform' | 'public' } | { readonly master: true }
        ? Caller
        : TenantActor;
