//! The line in the log that each completed request has.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../../../platform/process/log.ts';
import { clientOf } from '../client.ts';

declare module 'fastify' {
  interface FastifyRequest {
    isLogged: boolean;
  }
}

/** Once. The line of a write comes before its response. */
export function logResponse(
  log: Log,
  request: FastifyRequest,
  reply: FastifyReply,
  more?: object,
): void {
  if (request.isLogged) return;
  request.isLogged = true;
  log.info(
    {
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url,
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime),
      actor: request.actor?.id,
      ...clientOf(request),
      ...more,
    },
    'request completed',
  );
}
