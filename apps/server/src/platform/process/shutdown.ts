//! Shutdown: graceful on a signal, forced when that takes too long. A kill must be as safe as
//! either.

import process from 'node:process';
import { UNHANDLED_ERROR } from './alarms.ts';
import type { Log } from './log.ts';

export function stopOnSignal(log: Log, msMax: number, stop: () => Promise<void>): void {
  let isStopping = false;
  const end = (signal: string) => {
    if (isStopping) return;
    isStopping = true;
    log.info({ signal }, 'shutdown started');
    setTimeout(() => process.exit(1), msMax).unref();
    stop().then(
      () => process.exit(0),
      (error: Error) => {
        log.error({ err: error }, 'shutdown failed');
        process.exit(1);
      },
    );
  };
  process.once('SIGTERM', () => end('SIGTERM'));
  process.once('SIGINT', () => end('SIGINT'));
  // A bug outside any request: state may be wrong, so the process ends; nothing durable is at risk.
  process.on('uncaughtException', (error) => {
    log.error({ err: error }, UNHANDLED_ERROR);
    end('uncaughtException');
  });
  process.on('unhandledRejection', (reason) => {
    const err = reason instanceof Error ? reason : new Error(String(reason));
    log.error({ err }, UNHANDLED_ERROR);
    end('unhandledRejection');
  });
}
