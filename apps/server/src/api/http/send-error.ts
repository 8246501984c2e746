//! Sends errors: refusals, errors of the framework itself, and bugs.

import type { Endpoint } from '@holdfast/contract/endpoint';
import { Refusal, statusOf } from '@holdfast/contract/errors';
import { invalidRequest } from '@holdfast/contract/validation';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Replay } from '../../platform/call.ts';
import { unavailable } from '../../platform/database/database.ts';
import { UNHANDLED_ERROR } from '../../platform/process/alarms.ts';
import type { Log } from '../../platform/process/log.ts';
import { count } from '../../platform/telemetry/metrics.ts';
import { fieldErrors } from './field-errors.ts';
import { sendReplay } from './replay.ts';
import { bug, errorBody, helpLink, memberErrorBody } from './respond.ts';

/** The framework's own errors, in our words. */
function readFrameworkError(error: FastifyError, request: FastifyRequest): Refusal | undefined {
  if (error.validation !== undefined) {
    const part = error.validationContext ?? 'request';
    return invalidRequest(fieldErrors(part, error.validation));
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
      return invalidRequest([
        { field: 'request', rule: 'malformed', message: 'request must be well-formed HTTP' },
      ]);
    default:
      return undefined;
  }
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
  if (refusal.code === 'INTERNAL_ERROR') {
    log.error({ requestId: request.id, err: error }, UNHANDLED_ERROR);
    count('holdfast_bugs_total', { source: 'request' });
  }
  const { retryAfter } = refusal.details as { retryAfter?: number };
  if (retryAfter !== undefined && !reply.hasHeader('retry-after'))
    reply.header('retry-after', retryAfter);
  return reply
    .code(status)
    .header('link', helpLink(refusal.code))
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
