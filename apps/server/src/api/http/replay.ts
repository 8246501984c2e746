//! Sends stored responses again, under the same Idempotency-Key.
import { isErrorCode } from '@holdfast/contract/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Replay } from '../../platform/call.ts';
import { sentRequestId } from './request-id.ts';
import { helpLink, type Meta } from './respond.ts';

/** Sends a stored response, equal to the byte. */
export function sendReplay(
  request: FastifyRequest,
  reply: FastifyReply,
  { response }: Replay,
): FastifyReply {
  const requestId = /"requestId":"([0-9a-fA-F-]{36})"/.exec(response.body)?.[1];
  const at = Date.parse(/"timestamp":"([^"]{20,30})"/.exec(response.body)?.[1] ?? '');
  const { idempotencyScope: id } = request;
  if (requestId !== undefined && id !== undefined && at > 0) request.write = { id, requestId, at };
  markReplay(reply, request, requestId === undefined ? undefined : { requestId, timestamp: '' });
  const code = /^\{"error":\{"code":"([A-Z_]+)"/.exec(response.body)?.[1];
  if (code !== undefined && isErrorCode(code)) reply.header('link', helpLink(code));
  return reply
    .code(response.status)
    .header('x-idempotency-key', String(request.headers['idempotency-key']))
    .type('application/json; charset=utf-8')
    .serializer((body: string) => body)
    .send(response.body);
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
