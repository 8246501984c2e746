//! Structured log lines on standard error: `verb noun` with ids as fields, never a secret or a
//! body.
import { pino } from 'pino';

export type Log = Pick<ReturnType<typeof pino>, 'debug' | 'info' | 'warn' | 'error'>;

/** Fields that must never be written, wherever they turn up. */
const SECRET_FIELDS = ['authorization', 'key', 'api_key', 'token', 'secret', 'password', 'cookie'];

export function makeLog(level: string, role: string): Log {
  return pino(
    {
      level,
      base: { role, pid: process.pid },
      redact: { paths: SECRET_FIELDS.flatMap((f) => [f, `*.${f}`, `*.*.${f}`]), censor: '•••' },
      messageKey: 'event',
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    pino.destination({ fd: 2, sync: false }),
  );
}
