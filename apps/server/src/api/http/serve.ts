//! Serves an endpoint of the contract: its row sets scope, shapes and statuses. The only way in.
import { Readable } from 'node:stream';
import { APPROVAL_PENDING_STATUS, type Endpoint } from '@holdfast/contract/endpoint';
import { assert } from '@holdfast/kernel/assert';
import type { Clock } from '@holdfast/kernel/clock';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type {
  AnonymousActor,
  Call,
  Caller,
  CommittedWrite,
  IdempotencyClaim,
} from '../../platform/call.ts';
import { scopeHashOf } from '../../platform/database/idempotency-scope.ts';
import {
  type ApprovalGate,
  type Approved,
  type ApprovedAction,
  approvedActionOf,
  noGate,
  renderer,
} from './approval-gate.ts';
import { rulesOf } from './call-rules.ts';
import { clientOf } from './client.ts';
import { readIdempotencyKey, requestHashOf } from './idempotency-key.ts';
import { markReplay } from './replay.ts';
import {
  type Meta,
  memberSuccess,
  metaOf,
  renderRefusal,
  success,
  successPage,
} from './respond.ts';
import { responsesOf } from './response-shape.ts';
import type {
  CallerOf,
  DocumentRoute,
  Input,
  ListRoute,
  RawRoute,
  RedirectRoute,
  Route,
  RouteResponse,
  StreamRoute,
} from './route.ts';
import { userAgentOf, withReason } from './session.ts';
import { listsOf, spellingsOf, useLists, useOneSpelling } from './spelling.ts';
import type { Streams } from './streams.ts';

declare module 'fastify' {
  interface FastifyRequest {
    actor: Caller | undefined;
  }
  interface FastifyInstance {
    /** Every route that is served, for telling a wrong method from a wrong path. */
    served: { readonly endpoint: Endpoint; readonly method: string; readonly pattern: RegExp }[];
    /** Counts a request by its address; refuses when that has made too many. */
    countAddress(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint;
  }
}

/** The size limit of provider webhooks. */
const SIGNED_BYTES_MAX = 262_144;

export class Surface {
  readonly #http: FastifyInstance;
  readonly #prefix: string;
  readonly #clock: Clock;
  readonly #approvalGate: ApprovalGate;
  readonly #carriers = new Map<string, ApprovedAction>();

  constructor(http: FastifyInstance, prefix: string, clock: Clock, approvalGate = noGate) {
    this.#http = http;
    this.#prefix = prefix;
    this.#clock = clock;
    this.#approvalGate = approvalGate;
  }

  serve<E extends Endpoint, R>(endpoint: E, route: Route<E, R>): void {
    if (endpoint.secondApprover !== undefined)
      this.#carriers.set(endpoint.id, approvedActionOf(endpoint, route, this.#clock));
    this.#route(endpoint, async (request, reply) => {
      // The stored and the sent response have the same time, so that a replay is equal to the byte.
      let meta: Meta | undefined;
      const render = renderer(endpoint, route, () => {
        meta = metaOf(request.id, this.#clock.now());
        return meta;
      });
      const call = this.#callOf(endpoint, request, { reply, render });
      const input = inputOf(request);
      const gated = await this.#approvalGate(endpoint, call, input, (allowed) =>
        route.run(allowed as Call<CallerOf<E>>, input as Input<E>),
      );
      if ('pending' in gated) {
        reply.code(APPROVAL_PENDING_STATUS);
        return success(gated.pending, metaOf(request.id, this.#clock.now()));
      }
      const response = route.respond(gated.result) as RouteResponse;
      if (response.cookies !== undefined) reply.header('set-cookie', response.cookies);
      if (call.idempotency) reply.header('x-idempotency-key', call.idempotency.key);
      if (response.isReplay) markReplay(reply, request, response.meta);
      reply.code(response.status ?? endpoint.success.status);
      if (endpoint.surface === 'b') return memberSuccess(response.data);
      return success(response.data, response.meta ?? meta ?? metaOf(request.id, this.#clock.now()));
    });
  }

  /** Executes an approved request by its original route. */
  async executeApproved(approved: Approved): Promise<void> {
    const action = this.#carriers.get(approved.endpointId);
    assert(action !== undefined, `${approved.endpointId} is served`);
    return action(approved);
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
      const slot = streams.take(request.actor);
      try {
        const send = await route.open(call, inputOf(request), request.headers);
        // From here on this code owns the connection; a refusal was sent as JSON before.
        reply.hijack();
        await send(slot.openOutlet(reply.raw, reply.getHeaders()));
      } catch (error) {
        slot.leave();
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

  /** Takes the body unparsed, to the byte, and responds outside the envelope. */
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
    keyed: { reply: FastifyReply; render: IdempotencyClaim['render'] } | undefined,
  ): Call {
    const actor = request.actor ? withReason(endpoint, request, request.actor) : ANONYMOUS;
    const key = endpoint.idempotent
      ? readIdempotencyKey(request.headers['idempotency-key'])
      : undefined;
    const rules = {
      ...rulesOf(endpoint),
      client: clientOf(request),
      onWrite: (write: CommittedWrite) => {
        request.write = write;
      },
    };
    if (key === undefined || keyed === undefined)
      return { ...rules, actor, requestId: request.id, idempotency: undefined };
    const [path = ''] = request.url.split('?', 1);
    const family = actor.kind === 'key' ? actor.familyId : actor.id;
    const scopeHash = scopeHashOf(family, endpoint.method, path, key);
    request.idempotencyScope = scopeHash;
    return {
      actor,
      requestId: request.id,
      idempotency: {
        key,
        scopeHash,
        get requestHash() {
          return requestHashOf(request.body, request.query);
        },
        render: keyed.render,
        renderRefusal: (error) => renderRefusal(endpoint, error),
        onRefusalStored: () => void keyed.reply.header('x-idempotency-key', key),
      },
      ...rules,
    };
  }
}

const ANONYMOUS: AnonymousActor = { kind: 'anonymous', id: 'anonymous' };

function inputOf<E extends Endpoint>(request: FastifyRequest): Input<E> {
  const { params, query, body, ip: address } = request;
  const { cookie: cookies } = request.headers;
  const userAgent = userAgentOf(request);
  return { params, query, body, address, userAgent, cookies } as Input<E>;
}
