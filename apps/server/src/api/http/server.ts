//! Builds the HTTP server: bounds, strict JSON, identification, rate limits, errors. No domain
//! logic.
import type { Socket } from 'node:net';
import type { Endpoint } from '@holdfast/contract/endpoint';
import { Refusal } from '@holdfast/contract/errors';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Caller } from '../../platform/call.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Log } from '../../platform/process/log.ts';
import { readJson } from './json-body.ts';
import { lazySchemas } from './lazy-schemas.ts';
import {
  countAddress,
  refuseOverLimit,
  setLimitHeaders,
  setRefusedLimit,
  unlimited,
} from './limits.ts';
import { compatKeyOf } from './open-routes.ts';
import {
  addressBucket,
  type Counter,
  type RateLimitResult,
  rateLimitResult,
} from './rate-limit.ts';
import {
  acknowledgeWrite,
  type WriteRecorder,
  writeFields,
} from './recording/acknowledge-write.ts';
import { logResponse } from './recording/log-response.ts';
import { measureRequest, type RequestRecorder, recordRequest } from './recording/record-request.ts';
import { recordSignIn, type SignInRecorder } from './recording/record-sign-in.ts';
import { RefusalAlarm } from './recording/refusal-alarm.ts';
import { traceRequests } from './recording/trace-requests.ts';
import { requestIdOf } from './request-id.ts';
import { checkScope } from './scope.ts';
import { notFound, sendError } from './send-error.ts';
import { checkOrigin, checkSession, identifySession, type Sessions } from './session.ts';
import type { Streams } from './streams.ts';

export interface ServerDeps extends RequestRecorder, SignInRecorder, WriteRecorder {
  readonly config: Config;
  readonly log: Log;
  readonly counter: Counter;
  readonly streams: Streams;
  readonly operators: Sessions;
  /** The address is that of a bucket: a whole network where one host has it. */
  identify(bearer: string, address: string): Caller | undefined | Promise<Caller | undefined>;
}

/** A browser shows no response as a page, and guesses no type. The sites have their own rules. */
const BROWSER_RULES = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

export function buildServer(deps: ServerDeps): FastifyInstance {
  const { config, log } = deps;
  const http = Fastify({
    logger: false,
    genReqId: requestIdOf,
    requestIdHeader: false,
    trustProxy: (_address: string, hop: number) => hop < config.HOLDFAST_TRUSTED_PROXIES,
    bodyLimit: config.HOLDFAST_BODY_BYTES_MAX,
    requestTimeout: 15_000,
    keepAliveTimeout: 30_000,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    http: { headersTimeout: 10_000, maxHeaderSize: 8192, connectionsCheckingInterval: 5000 },
    // Fastify's defaults repair input; with money, an invalid request is refused instead.
    ajv: {
      customOptions: {
        allErrors: true,
        removeAdditional: false,
        coerceTypes: false,
        useDefaults: false,
        strict: false,
      },
    },
    schemaController: lazySchemas,
    // A path that no route can decode reaches no hook.
    frameworkErrors: (error, request, reply) => {
      setUsualHeaders(request, reply);
      sendError(log, error, request, reply);
    },
    routerOptions: {
      caseSensitive: true,
      ignoreTrailingSlash: false,
      ignoreDuplicateSlashes: false,
    },
  });
  boundConnections(http, config);
  readBodies(http, config);
  http.addHook('onRoute', ({ method, url, config: { endpoint } = {} }) => {
    if (endpoint === undefined)
      throw new Error(`${String(method)} ${url} is not an endpoint of the contract`);
  });
  decorate(http, deps);
  traceRequests(http);
  http.addHook('onRequest', (request, reply, done) => {
    // An ignored body of any type goes through the one parser there is.
    if (isBodyIgnored(request) && request.headers['content-type'] !== undefined)
      request.headers['content-type'] = 'application/json';
    setUsualHeaders(request, reply);
    admit(deps, request, reply, done);
  });
  recordResponses(http, deps);
  // An open stream would keep the server from closing.
  http.addHook('preClose', async () => deps.streams.close());
  http.setErrorHandler((error: FastifyError, request, reply) =>
    sendError(log, error, request, reply),
  );
  http.setNotFoundHandler((request, reply) =>
    sendError(log, notFound(http, request, reply), request, reply),
  );
  return http;
}

function recordResponses(http: FastifyInstance, deps: ServerDeps): void {
  const { log } = deps;
  const refusalAlarm = new RefusalAlarm(deps);
  http.addHook('onSend', (request, reply, payload, done) => {
    const write = acknowledgeWrite(deps, request, reply, payload);
    if (write !== undefined) logResponse(log, request, reply, writeFields(write));
    done();
  });
  http.addHook('onResponse', (request, reply, done) => {
    logResponse(log, request, reply);
    measureRequest(request, reply);
    recordRequest(deps, request, reply);
    refusalAlarm.record(request);
    recordSignIn(deps, request, (request.routeOptions.config as { endpoint?: Endpoint }).endpoint);
    done();
  });
}

function decorate(http: FastifyInstance, deps: ServerDeps): void {
  http.decorate('served', []);
  http.decorateRequest('actor', undefined);
  http.decorateRequest('refusalCode', undefined);
  http.decorateRequest('write', undefined);
  http.decorateRequest('idempotencyScope', undefined);
  http.decorateRequest('isLogged', false);
  http.decorate('countAddress', (request: FastifyRequest, reply: FastifyReply) =>
    countAddress(deps, request, reply),
  );
}

function setUsualHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id);
  reply.header('cache-control', 'no-store');
  reply.headers(BROWSER_RULES);
}

/** Identifies the caller, counts the request, checks the scope: in this order, before any body. */
function admit(
  deps: ServerDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  const { endpoint } = request.routeOptions.config as { endpoint?: Endpoint };
  const bearer = bearerOf(request) ?? compatKeyOf(deps.config, request, endpoint);
  // A bearer token takes precedence over cookies.
  const identified =
    bearer === undefined
      ? identifySession(deps.operators, request, endpoint)
      : deps.identify(bearer, addressBucket(request.ip));
  if (!(identified instanceof Promise)) {
    count(deps, request, reply, identified, done);
    return;
  }
  identified.then(
    (actor) => count(deps, request, reply, actor, done),
    (error: Error) => {
      setRefusedLimit(reply, error, deps.clock.now());
      done(error);
    },
  );
}

function count(
  { config, clock, counter, operators }: ServerDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  actor: Caller | undefined,
  done: (error?: Error) => void,
): void {
  request.actor = actor;
  const { HOLDFAST_RATE_LIMIT: usual } = config;
  const { endpoint } = request.routeOptions.config as { endpoint?: Endpoint };
  if (usual === 'off') {
    decide({ allowed: true, limit: 0, remaining: 0, resetAt: 0, retryAfter: 0 });
    return;
  }
  if (endpoint?.scope === 'signature' || endpoint?.rawResponse === 'file') {
    // Signed requests are not limited, invalid signatures are limited later; a page is many files.
    decide(unlimited(usual, clock.now()));
    return;
  }
  // A wrong key is counted by address: a new wrong key each time would be a new bucket each time.
  const bucket = actor === undefined ? addressBucket(request.ip) : `key:${actor.id}`;
  const limit = limitOf(config, usual, actor);
  const tally = counter.add(bucket);
  if (tally instanceof Promise)
    tally.then((counted) => decide(rateLimitResult(counted, limit, clock.now())), done);
  else decide(rateLimitResult(tally, limit, clock.now()));

  function decide(verdict: RateLimitResult): void {
    setLimitHeaders(reply, verdict);
    try {
      if (!verdict.allowed) refuseOverLimit(reply, verdict);
      if (endpoint?.sameOrigin) checkOrigin(operators, request, false);
      if (actor !== undefined && 'session' in actor) checkSession(operators, request, actor);
      if (endpoint !== undefined) checkScope(endpoint, actor);
      done();
    } catch (error) {
      done(error as Error);
    }
  }
}

/** Actors with a limit of their own. */
function limitOf(config: Config, usual: number, actor: Caller | undefined): number {
  if (actor?.kind === 'master') return config.HOLDFAST_MASTER_RATE_LIMIT;
  if (actor?.kind === 'key') return actor.requestsPerMinute ?? usual;
  return actor !== undefined && 'session' in actor ? config.HOLDFAST_OPERATOR_RATE_LIMIT : usual;
}

function bearerOf({ headers: { authorization } }: FastifyRequest): string | undefined {
  if (authorization === undefined || authorization.length > 4096) return undefined;
  return /^bearer +([^\s]+)$/i.exec(authorization)?.[1];
}

function boundConnections(http: FastifyInstance, config: Config): void {
  http.server.maxConnections = config.HOLDFAST_CONNECTIONS_MAX;
  const perAddress = new Map<string, number>();
  http.server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const open = (perAddress.get(address) ?? 0) + 1;
    if (open > config.HOLDFAST_CONNECTIONS_PER_ADDRESS_MAX) {
      socket.destroy();
      return;
    }
    perAddress.set(address, open);
    socket.once('close', () => {
      const left = (perAddress.get(address) ?? 1) - 1;
      if (left === 0) perAddress.delete(address);
      else perAddress.set(address, left);
    });
  });
}

function readBodies(http: FastifyInstance, config: Config): void {
  http.removeAllContentTypeParsers();
  http.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: config.HOLDFAST_BODY_BYTES_MAX },
    (request, text, done) => {
      if (isBodyIgnored(request)) return done(null, null);
      if (request.headers['content-encoding'] !== undefined) {
        return done(new Refusal('UNSUPPORTED_MEDIA_TYPE', { contentType: 'a compressed body' }));
      }
      const { endpoint } = request.routeOptions.config as { endpoint?: Endpoint };
      // A signed body is parsed after its signature is verified.
      if (endpoint?.scope === 'signature') return done(null, text);
      try {
        done(null, readJson(text as string));
      } catch (error) {
        done(error as Error);
      }
    },
  );
}

/** Only its size is bounded. */
function isBodyIgnored(request: FastifyRequest): boolean {
  const { endpoint } = request.routeOptions.config as { endpoint?: Endpoint };
  return endpoint?.bodyRead === 'none';
}
