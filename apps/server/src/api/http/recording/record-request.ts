//! Measures every completed request, and passes those of a marketplace to the request log.
import { type Endpoint, type Method, waitsForProvider } from '@holdfast/contract/endpoint';
import type { ErrorCode } from '@holdfast/contract/errors';
import type { Clock } from '@holdfast/kernel/clock';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestLog } from '../../../platform/completed-request.ts';
import { observeRequest } from '../../../platform/telemetry/metrics.ts';
import { clientOf } from '../client.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The reason of a refusal, if it was refused. */
    refusalCode: ErrorCode | undefined;
  }
}

export interface RequestRecorder {
  readonly clock: Clock;
  readonly requests: RequestLog;
}

/** A caller without a marketplace, such as a wrong key or the master key, is not logged. */
export function recordRequest(
  { clock, requests }: RequestRecorder,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { actor } = request;
  const { endpoint } = request.routeOptions.config as { endpoint?: Endpoint };
  if (actor === undefined || !('marketplace' in actor) || endpoint === undefined) return;
  const { 'idempotency-key': sent } = request.headers;
  requests.record({
    marketplace: actor.marketplace,
    at: clock.now(),
    method: request.method,
    route: endpoint.path,
    path: request.url.split('?', 1)[0] ?? '',
    status: reply.statusCode,
    latencyMs: Math.round(reply.elapsedTime),
    actorId: actor.id,
    requestId: request.id,
    idempotencyKey: typeof sent === 'string' ? sent.slice(0, 36).toLowerCase() : null,
    isReplay: reply.hasHeader('idempotency-replay'),
    errorCode: request.refusalCode ?? null,
    ...clientOf(request),
  });
}

const METHODS: ReadonlySet<string> = new Set<Method>(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** By the endpoint of the contract. A stream stays open for hours, which is no latency. */
export function measureRequest(request: FastifyRequest, reply: FastifyReply): void {
  const { endpoint } = request.routeOptions.config as { endpoint?: Endpoint };
  const { statusCode, elapsedTime } = reply;
  if (endpoint?.rawResponse === 'event-stream' && statusCode === 200) return;
  const { method } = request;
  observeRequest(elapsedTime / 1000, {
    route: isUnidentified(request, statusCode) ? 'none' : (endpoint?.path ?? 'none'),
    method: METHODS.has(method) ? (method as Method) : 'other',
    class: classOf(statusCode),
    waits: endpoint !== undefined && waitsForProvider(endpoint) ? 'provider' : 'none',
  });
}

/** Any caller can cause these on every route, and they never reach the work of the route. */
function isUnidentified(request: FastifyRequest, status: number): boolean {
  return request.actor === undefined && status >= 400 && status < 500;
}

/** A 504 is no failure of ours: the outcome at the provider is not known yet. */
function classOf(status: number) {
  if (status === 504) return '504';
  if (status >= 500) return '5xx';
  if (status >= 400) return '4xx';
  return status >= 300 ? '3xx' : '2xx';
}
