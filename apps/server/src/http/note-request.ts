//! Hands every answered request of a marketplace to the log of requests.
import type { Endpoint } from '@holdfast/contract/endpoint';
import type { ErrorCode } from '@holdfast/contract/errors';
import type { Clock } from '@holdfast/kernel/clock';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestNotes } from '../platform/answered-request.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Why it was refused, if it was. */
    refusalCode: ErrorCode | undefined;
  }
}

export interface RequestNoter {
  readonly clock: Clock;
  readonly requests: RequestNotes;
}

/** Who is nobody's, such as a wrong key or the master key, stands in no marketplace's log. */
export function noteRequest(
  { clock, requests }: RequestNoter,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { actor } = request;
  const { endpoint } = request.routeOptions.config as { endpoint?: Endpoint };
  if (actor === undefined || !('marketplace' in actor) || endpoint === undefined) return;
  const { 'idempotency-key': sent } = request.headers;
  requests.note({
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
  });
}
