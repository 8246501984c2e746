//! Builds the HTTP server: bounds, strict JSON, identification, rate limits, errors. No domain
//! word.
import type { Socket } from 'node:net';
import type { Endpoint } from '@holdfast/contract/endpoint';
import { Refusal, statusOf } from '@holdfast/contract/errors';
import type { Clock } from '@holdfast/kernel/clock';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Config } from '../config.ts';
import { type Caller, Replay } from '../platform/call.ts';
import { isDatabaseAway } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import { readJson } from './json-body.ts';
import { countAddress, limited, tell, unlimited } from './limits.ts';
import { addressBucket, type Counter, type Verdict, verdictOf } from './rate-limit.ts';
import { sendReplay } from './replay.ts';
import { requestIdOf } from './request-id.ts';
import { bug, errorBody, memberErrorBody } from './respond.ts';
import { checkScope } from './scope.ts';
import type { Streams } from './streams.ts';

export interface ServerParts {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly counter: Counter;
  readonly streams: Streams;
  identify(bearer: string): Caller | undefined | Promise<Caller | undefined>;
}

export function buildServer(parts: ServerParts): FastifyInstance {
  const { config, log } = parts;
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
    // Fastify's own defaults repair input; with money a wrong request is refused instead.
    ajv: {
      customOptions: {
        allErrors: true,
        removeAdditional: false,
        coerceTypes: false,
        useDefaults: false,
        strict: false,
      },
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
  http.decorate('served', []);
  http.decorateRequest('actor', undefined);
  http.decorate('countAddress', (request: FastifyRequest, reply: FastifyReply) =>
    countAddress(parts, request, reply),
  );
  http.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    reply.header('cache-control', 'no-store');
    admit(parts, request, reply, done);
  });
  http.addHook('onResponse', (request, reply, done) => {
    log.info(
      {
        requestId: request.id,
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        actor: request.actor?.id,
      },
      'answer request',
    );
    done();
  });
  // An open stream would keep the server from ever closing.
  http.addHook('preClose', async () => parts.streams.close());
  http.setErrorHandler((error: FastifyError, request, reply) =>
    sendError(log, error, request, reply),
  );
  http.setNotFoundHandler((request, reply) =>
    sendError(log, notFound(http, request, reply), request, reply),
  );
  return http;
}

/** Identifies the caller, counts the request, checks the scope: in this order, before any body. */
function admit(
  parts: ServerParts,
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  const bearer = bearerOf(request);
  const identified = bearer === undefined ? undefined : parts.identify(bearer);
  if (!(identified instanceof Promise)) {
    count(parts, request, reply, identified, done);
    return;
  }
  identified.then(
    (actor) => count(parts, request, reply, actor, done),
    (error: Error) => done(error),
  );
}

function count(
  { config, clock, counter }: ServerParts,
  request: FastifyRequest,
  reply: FastifyReply,
  actor: Caller | undefined,
  done: (error?: Error) => void,
): void {
  request.actor = actor;
  const { HOLDFAST_RATE_LIMIT: usual, HOLDFAST_MASTER_RATE_LIMIT: master } = config;
  const { endpoint } = request.routeOptions.config as { endpoint?: Endpoint };
  if (usual === 'off') {
    decide({ allowed: true, limit: 0, remaining: 0, resetAt: 0, retryAfter: 0 });
    return;
  }
  if (endpoint?.scope === 'signature') {
    // Whoever signs is not limited, and who does not is found out later.
    decide(unlimited(usual, clock.now()));
    return;
  }
  // A wrong key is counted by address: a new wrong key each time would be a new bucket each time.
  const bucket = actor === undefined ? addressBucket(request.ip) : `key:${actor.id}`;
  const limit = actor?.kind === 'master' ? master : usual;
  const tally = counter.add(bucket);
  if (tally instanceof Promise)
    tally.then((counted) => decide(verdictOf(counted, limit, clock.now())), done);
  else decide(verdictOf(tally, limit, clock.now()));

  function decide(verdict: Verdict): void {
    tell(reply, verdict);
    try {
      if (!verdict.allowed) limited(reply, verdict);
      if (endpoint !== undefined) checkScope(endpoint, actor);
      done();
    } catch (error) {
      done(error as Error);
    }
  }
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
      if (request.headers['content-encoding'] !== undefined) {
        return done(new Refusal('UNSUPPORTED_MEDIA_TYPE', { contentType: 'a compressed body' }));
      }
      const { endpoint } = request.routeOptions.config as { endpoint?: Endpoint };
      // What is signed is read by whoever checks the signature, after checking it.
      if (endpoint?.scope === 'signature') return done(null, text);
      try {
        done(null, readJson(text as string));
      } catch (error) {
        done(error as Error);
      }
    },
  );
}

/** What the framework refuses by itself, in our words. */
function readFrameworkError(error: FastifyError, request: FastifyRequest): Refusal | undefined {
  if (error.validation !== undefined) {
    const part = error.validationContext ?? 'request';
    return new Refusal('VALIDATION_ERROR', {
      validationErrors: error.validation.map((fault) => sayFault(part, fault)),
    });
  }
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Refusal('PAYLOAD_TOO_LARGE', { limitBytes: request.routeOptions.bodyLimit ?? 0 });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Refusal('UNSUPPORTED_MEDIA_TYPE', {
        contentType: request.headers['content-type']?.slice(0, 100) ?? '',
      });
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'FST_ERR_BAD_URL':
      return new Refusal('VALIDATION_ERROR', { validationErrors: ['the request is malformed'] });
    default:
      return undefined;
  }
}

function sayFault(
  part: string,
  fault: { instancePath: string; message?: string; params: Record<string, unknown> },
): string {
  const where = fault.instancePath.slice(1).replaceAll('/', '.') || part;
  const { additionalProperty, missingProperty, allowedValues } = fault.params;
  if (typeof additionalProperty === 'string')
    return `${additionalProperty.slice(0, 100)} is not a property of ${where}`;
  if (typeof missingProperty === 'string') return `${missingProperty} is required`;
  if (Array.isArray(allowedValues)) return `${where} must be one of ${allowedValues.join(', ')}`;
  return `${where} ${fault.message ?? 'is wrong'}`;
}

function sendError(
  log: Log,
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (error instanceof Replay) return sendReplay(request, reply, error);
  const refusal =
    error instanceof Refusal
      ? error
      : (readFrameworkError(error as FastifyError, request) ?? away(error) ?? bug());
  const { endpoint } = request.routeOptions.config as { endpoint?: Endpoint };
  const status = statusOf(refusal.code, endpoint);
  if (refusal.code === 'INTERNAL_ERROR')
    log.error({ requestId: request.id, reason: error.message, stack: error.stack }, 'meet bug');
  const { retryAfter } = refusal.details as { retryAfter?: number };
  if (retryAfter !== undefined && !reply.hasHeader('retry-after'))
    reply.header('retry-after', retryAfter);
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(endpoint?.surface === 'b' ? memberErrorBody(refusal, status) : errorBody(refusal));
}

function away(error: Error): Refusal | undefined {
  if (!isDatabaseAway(error)) return undefined;
  return new Refusal('SERVICE_UNAVAILABLE', { reason: 'the database is away', retryAfter: 1 });
}

/** An unknown path, or a known one that does not take this method. */
function notFound(http: FastifyInstance, request: FastifyRequest, reply: FastifyReply): Refusal {
  const path = request.url.split('?')[0]?.slice(0, 200) ?? '';
  const allowed = http.served
    .filter(({ pattern }) => pattern.test(path))
    .map(({ method }) => method);
  if (allowed.length === 0) return new Refusal('ROUTE_NOT_FOUND', { method: request.method, path });
  reply.header('allow', allowed.join(', '));
  return new Refusal('METHOD_NOT_ALLOWED', { method: request.method, allowed });
}
