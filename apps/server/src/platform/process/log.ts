//! Structured log lines on standard error. The text has the noun first and the past tense (`webhook
//! parked`), one text per cause; ids are fields. Never a secret or a body.
import { type DestinationStream, type LoggerOptions, pino } from 'pino';
import { currentTrace } from '../telemetry/trace.ts';

export type Log = Pick<ReturnType<typeof pino>, 'debug' | 'info' | 'warn' | 'error'>;

/** Fields that must never be written, wherever they turn up. */
const SECRET_FIELDS = ['authorization', 'key', 'api_key', 'token', 'secret', 'password', 'cookie'];

export function createLog(
  level: string,
  role: string,
  destination: DestinationStream = pino.destination({ fd: 2, sync: false }),
): Log {
  const options: LoggerOptions = {
    level,
    base: { role, pid: process.pid },
    redact: { paths: SECRET_FIELDS.flatMap((f) => [f, `*.${f}`, `*.*.${f}`]), censor: '•••' },
    serializers: { err: errorFields },
    mixin: traceFields,
    timestamp: pino.stdTimeFunctions.isoTime,
  };
  return pino(options, destination);
}

/** Named as collectors of logs expect it, so that a line leads to its trace. */
function traceFields(): object {
  const trace = currentTrace();
  return trace === undefined ? {} : { trace_id: trace.traceId };
}

/** Only these: other properties of an error may quote rows, queries or bodies. */
function errorFields(error: Error & { code?: unknown }) {
  const { name: type, code, message, stack } = error;
  return { type, code, message, stack };
}
