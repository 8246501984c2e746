//! Serves an endpoint of the contract: its row decides scope, shapes and statuses. The only way in.
import { Readable } from 'node:stream';
import type { BodyOf, DataOf, Endpoint, ParamsOf, QueryOf } from '@holdfast/contract/endpoint';
import { Refusal, statusOf } from '@holdfast/contract/errors';
import type { Clock } from '@holdfast/kernel/clock';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type {
  AnonymousActor,
  Call,
  Caller,
  IdempotencyClaim,
  KeyActor,
  MemberActor,
} from '../platform/call.ts';
import type { Outlet } from '../platform/outlet.ts';
import type { Page } from '../platform/page.ts';
import { readIdempotencyKey, requestHashOf, scopeHashOf } from './idempotency-key.ts';
import { markReplay } from './replay.ts';
import {
  errorBody,
  isKept,
  type Meta,
  memberSuccess,
  metaOf,
  success,
  successPage,
} from './respond.ts';
import { responsesOf } from './response-shape.ts';
import { listsOf, spellingsOf, useLists, useOneSpelling } from './spelling.ts';
import type { Streams } from './streams.ts';

declare module 'fastify' {
  interface FastifyRequest {
    actor: Caller | undefined;
  }
  interface FastifyInstance {
    /** Every route that is served, for telling a wrong method from a wrong path. */
    served: { readonly endpoint: Endpoint; readonly method: string; readonly pattern: RegExp }[];
    /** Counts a request by its address; refuses when that has asked too often. */
    countAddress(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint;
  }
}

export interface Input<E extends Endpoint> {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  /** Where the request came from, as far as the proxies in front are trusted. */
  readonly address: string;
}

/** What of an operation's result goes out, and how. */
export interface Answer {
  readonly data: unknown;
  readonly status?: number;
  /** A replay carries the first answer's. */
  readonly meta?: Meta;
  readonly isReplay?: boolean;
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

/** Of what providers send. */
const SIGNED_BYTES_MAX = 262_144;

/** A route for keys alone is never called by the master key, so its actor has a marketplace. */
type CallerOf<E extends Endpoint> = E extends { readonly scope: 'member' }
  ? MemberActor
  : E extends { readonly scope: 'master' | 'public' } | { readonly master: true }
    ? Caller
    : KeyActor;

export class Surface {
  readonly #http: FastifyInstance;
  readonly #prefix: string;
  readonly #clock: Clock;

  constructor(http: FastifyInstance, prefix: string, clock: Clock) {
    this.#http = http;
    this.#prefix = prefix;
    this.#clock = clock;
  }

  serve<E extends Endpoint, R>(endpoint: E, route: Route<E, R>): void {
    this.#route(endpoint, async (request, reply) => {
      // What is kept and what is sent name the same time, so that a replay is equal to the byte.
      let meta: Meta | undefined;
      const call = this.#callOf(endpoint, request, (result) => {
        meta = metaOf(request.id, this.#clock.now());
        const kept = route.keep?.(result as R);
        const answer = route.answer(result as R) as Answer;
        return {
          status: answer.status ?? endpoint.success.status,
          body: JSON.stringify(success(kept ?? answer.data, meta)),
        };
      });
      const result = await route.run(call as Call<CallerOf<E>>, inputOf(request));
      const answer = route.answer(result) as Answer;
      if (call.idempotency) reply.header('x-idempotency-key', call.idempotency.key);
      if (answer.isReplay) markReplay(reply, request, answer.meta);
      reply.code(answer.status ?? endpoint.success.status);
      if (endpoint.surface === 'b') return memberSuccess(answer.data);
      return success(answer.data, answer.meta ?? meta ?? metaOf(request.id, this.#clock.now()));
    });
  }

  serveList<E extends Endpoint, T>(endpoint: E, route: ListRoute<E, T>): void {
    this.#route(endpoint, async (request) => {
      const call = this.#callOf(endpoint, request, undefined);
      const page = await route.run(call as Call<CallerOf<E>>, inputOf(request));
      return successPage(page, route.item, metaOf(request.id, this.#clock.now()));
    });
  }

  serveDocument<E extends Endpoint, R>(endpoint: E, route: DocumentRoute<E, R>): void {
    this.#route(endpoint, async (request, reply) => {
      const call = this.#callOf(endpoint, request, undefined);
      const result = await route.run(call as Call<CallerOf<E>>, inputOf(request));
      const isTable = (request.query as { format?: string }).format === 'csv';
      reply.type(isTable ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8');
      if (isTable) reply.header('content-disposition', `attachment; filename="${endpoint.id}.csv"`);
      const meta = metaOf(request.id, this.#clock.now());
      return reply.send(Readable.from(isTable ? route.csv(result) : route.json(result, meta)));
    });
  }

  serveStream<E extends Endpoint>(endpoint: E, streams: Streams, route: StreamRoute<E>): void {
    this.#route(endpoint, async (request, reply) => {
      const call = this.#callOf(endpoint, request, undefined) as Call<CallerOf<E>>;
      const seat = streams.take(request.actor);
      try {
        const send = await route.open(call, inputOf(request), request.headers);
        // From here on the connection is ours; a refusal would have been answered as JSON.
        reply.hijack();
        await send(seat.openOutlet(reply.raw, reply.getHeaders()));
      } catch (error) {
        seat.leave();
        if (!reply.sent) throw error;
        reply.raw.destroy();
      }
    });
  }

  serveRedirect<E extends Endpoint>(endpoint: E, route: RedirectRoute<E>): void {
    this.#route(endpoint, async (request, reply) => {
      const added = request.query as Readonly<Record<string, unknown>>;
      const url = await route.run(inputOf(request), added);
      return reply.redirect(url, endpoint.success.status);
    });
  }

  /** Takes the body as it came, to the byte, and answers outside the envelope. */
  serveRaw<E extends Endpoint>(endpoint: E, route: RawRoute<E>): void {
    this.#route(endpoint, async (request, reply) =>
      route.run({
        requestId: request.id,
        text: typeof request.body === 'string' ? request.body : '',
        header: (name) => request.headers[name]?.toString(),
        countAddress: () => this.#http.countAddress(request, reply),
      }),
    );
  }

  #route(
    endpoint: Endpoint,
    handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
  ): void {
    const { params, query } = endpoint;
    const isRaw = endpoint.scope === 'signature';
    const body = isRaw ? undefined : endpoint.body;
    const bodySpellings = body && spellingsOf(body);
    const querySpellings = query && spellingsOf(query);
    const queryLists = query ? listsOf(query) : [];
    const url = `${this.#prefix}${endpoint.path}`;
    this.#http.served.push({
      endpoint,
      method: endpoint.method,
      pattern: new RegExp(`^${url.replace(/\{\w+\}/g, '[^/]+')}$`),
    });
    this.#http.route({
      method: endpoint.method,
      url: url.replace(/\{(\w+)\}/g, ':$1'),
      config: { endpoint },
      ...(isRaw ? { bodyLimit: SIGNED_BYTES_MAX } : {}),
      schema: {
        ...(params ? { params } : {}),
        ...(query ? { querystring: query } : {}),
        ...(body ? { body } : {}),
        ...(endpoint.rawResponse === undefined ? { response: responsesOf(endpoint) } : {}),
      },
      preValidation: (request, _reply, done) => {
        if (endpoint.bodyRead === 'none' || request.body === undefined) request.body = null;
        if (bodySpellings) useOneSpelling(request.body, bodySpellings);
        if (querySpellings) useOneSpelling(request.query, querySpellings);
        useLists(request.query, queryLists);
        done();
      },
      handler,
    });
  }

  #callOf(
    endpoint: Endpoint,
    request: FastifyRequest,
    render: IdempotencyClaim['render'] | undefined,
  ): Call {
    const actor = request.actor ?? ANONYMOUS;
    const key = endpoint.idempotent
      ? readIdempotencyKey(request.headers['idempotency-key'])
      : undefined;
    if (key === undefined || render === undefined)
      return { actor, requestId: request.id, idempotency: undefined };
    const family = actor.kind === 'key' ? actor.familyId : actor.id;
    const [path = ''] = request.url.split('?', 1);
    return {
      actor,
      requestId: request.id,
      idempotency: {
        key,
        scopeHash: scopeHashOf(family, endpoint.method, path, key),
        get requestHash() {
          return requestHashOf(request.body);
        },
        render,
        renderRefusal: (error) =>
          error instanceof Refusal && isKept(error, endpoint)
            ? { status: statusOf(error.code, endpoint), body: JSON.stringify(errorBody(error)) }
            : undefined,
      },
    };
  }
}

const ANONYMOUS: AnonymousActor = { kind: 'anonymous', id: 'anonymous' };

function inputOf<E extends Endpoint>({ params, query, body, ip }: FastifyRequest): Input<E> {
  return { params, query, body, address: ip } as Input<E>;
}
