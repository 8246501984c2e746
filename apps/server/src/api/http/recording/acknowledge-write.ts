//! Records a write before its response is sent: should the database be set back, the line in the
//! log and the list of recent writes say what was acknowledged.
import { type Clock, instantText } from '@holdfast/kernel/clock';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AcknowledgedWrite, WriteLog } from '../../../platform/acknowledged-write.ts';
import type { CommittedWrite } from '../../../platform/call.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the response will acknowledge. */
    write: CommittedWrite | undefined;
    /** Of its Idempotency-Key, which is stored with what the first request wrote. */
    idempotencyScope: string | undefined;
  }
}

export interface WriteRecorder {
  readonly clock: Clock;
  readonly writes: WriteLog;
}

/** After this time, a repeated request acknowledges nothing that could still be lost alone. */
const REPEATED_MS_MAX = 3_600_000;

/** Undefined where nothing was written, or so long ago that another response acknowledged it. */
export function acknowledgeWrite(
  { clock, writes }: WriteRecorder,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): AcknowledgedWrite | undefined {
  const { write, actor } = request;
  const at = clock.now();
  if (write === undefined || reply.statusCode >= 300) return undefined;
  if (write.at < at - REPEATED_MS_MAX) return undefined;
  const { amount, currency } = (request.body ?? {}) as { amount?: unknown; currency?: unknown };
  const acknowledged: AcknowledgedWrite = {
    id: write.id,
    requestId: write.requestId,
    idempotencyScope: request.idempotencyScope ?? null,
    at,
    method: request.method,
    path: request.url.split('?', 1)[0] ?? '',
    status: reply.statusCode,
    actorId: actor?.id ?? 'anonymous',
    resourceId: typeof payload === 'string' ? idIn(payload) : null,
    amount: typeof amount === 'string' ? amount : null,
    currency: typeof currency === 'string' ? currency : null,
  };
  writes.record(acknowledged);
  return acknowledged;
}

/** Of the record that a response has: it is the first field. */
function idIn(payload: string): string | null {
  return /^.{0,100}?"data":\{"id":"(\w{1,40})"/.exec(payload)?.[1] ?? null;
}

/**
 * The fields of its line in the log; those that every line has are not repeated. The request that
 * wrote may be an earlier one than that of the line, and its time is that of the service.
 */
export function writeFields(write: AcknowledgedWrite) {
  const { id, requestId, idempotencyScope, at, path, resourceId, amount, currency } = write;
  return {
    writeId: id,
    writeRequestId: requestId,
    acknowledgedAt: instantText(at),
    path,
    ...(idempotencyScope === null ? {} : { idempotencyScope }),
    ...(resourceId === null ? {} : { resourceId }),
    ...(amount === null ? {} : { amount }),
    ...(currency === null ? {} : { currency }),
  };
}
