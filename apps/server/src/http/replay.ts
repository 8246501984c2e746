//! Answers that were given before, under the same Idempotency-Key.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Replay } from '../platform/call.ts';
import { sentRequestId } from './request-id.ts';
import type { Meta } from './respond.ts';

/** Sends an answer that was given before, to the byte. */
export function sendReplay(
  request: FastifyRequest,
  reply: FastifyReply,
  { answer }: Replay,
): FastifyReply {
  const requestId = /"requestId":"([0-9a-fA-F-]{36})"/.exec(answer.body)?.[1];
  markReplay(reply, request, requestId === undefined ? undefined : { requestId, timestamp: '' });
  return reply
    .code(answer.status)
    .header('x-idempotency-key', String(request.headers['idempotency-key']))
    .type('application/json; charset=utf-8')
    .serializer((body: string) => body)
    .send(answer.body);
}

/** The header names the first request, like the body, unless the caller named this one. */
export function markReplay(
  reply: FastifyReply,
  request: FastifyRequest,
  meta: Meta | undefined,
): void {
  reply.header('idempotency-replay', 'true');
  if (meta !== undefined && sentRequestId(request.raw) === undefined)
    reply.header('x-request-id', meta.requestId);
}
