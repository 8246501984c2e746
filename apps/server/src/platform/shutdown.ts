//! Stopping: kindly on a signal, hard when that takes too long. A kill must be as safe as either.
import process from 'node:process';
import type { Log } from './log.ts';

export function stopOnSignal(log: Log, msMax: number, stop: () => Promise<void>): void {
  let isStopping = false;
  const end = (signal: string) => {
    if (isStopping) return;
    isStopping = true;
    log.info({ signal }, 'stop process');
    setTimeout(() => process.exit(1), msMax).unref();
    stop().then(
      () => process.exit(0),
      (error: Error) => {
        log.error({ reason: error.message }, 'fail stop');
        process.exit(1);
      },
    );
  };
  process.once('SIGTERM', () => end('SIGTERM'));
  process.once('SIGINT', () => end('SIGINT'));
  // A bug outside any request: state may be wrong, so the process ends; nothing durable is at risk.
  process.on('uncaughtException', (error) => {
    log.error({ reason: error.message, stack: error.stack }, 'meet bug');
    end('uncaughtException');
  });
  process.on('unhandledRejection', (reason) => {
    log.error({ reason: String(reason) }, 'meet bug');
    end('unhandledRejection');
  });
}
