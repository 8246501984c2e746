//! Errors on their way out: refusals, what the framework refuses by itself, and bugs.
import type { Endpoint } from '@holdfast/contract/endpoint';
import { Refusal, statusOf } from '@holdfast/contract/errors';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Replay } from '../platform/call.ts';
import { unavailable } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import { sendReplay } from './replay.ts';
import { bug, errorBody, memberErrorBody } from './respond.ts';

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

export function sendError(
  log: Log,
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (error instanceof Replay) return sendReplay(request, reply, error);
  const refusal =
    error instanceof Refusal
      ? error
      : (readFrameworkError(error as FastifyError, request) ?? unavailable(error) ?? bug());
  request.refusalCode = refusal.code;
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

/** An unknown path, or a known one that does not take this method. */
export function notFound(
  http: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
): Refusal {
  const path = request.url.split('?')[0]?.slice(0, 200) ?? '';
  const allowed = http.served
    .filter(({ pattern }) => pattern.test(path))
    .map(({ method }) => method);
  if (allowed.length === 0) return new Refusal('ROUTE_NOT_FOUND', { method: request.method, path });
  reply.header('allow', allowed.join(', '));
  return new Refusal('METHOD_NOT_ALLOWED', { method: request.method, allowed });
}
