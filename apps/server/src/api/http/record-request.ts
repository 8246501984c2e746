//! Passes every completed request of a marketplace to the request log.
import type { Endpoint } from '@holdfast/contract/endpoint';
import type { ErrorCode } from '@holdfast/contract/errors';
import type { Clock } from '@holdfast/kernel/clock';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestLog } from '../../platform/completed-request.ts';
import { clientOf } from './client.ts';

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
