//! Shutdown: graceful on a signal, forced when that takes too long. A kill must be as safe as
//! either.

import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import { count } from '../telemetry/metrics.ts';
import { UNHANDLED_ERROR } from './alarms.ts';
import type { Log } from './log.ts';

export interface Shutdown {
  /** Not ready from now on. The process still serves, since its host takes a while to see that. */
  readonly drain?: () => void;
  /**
   * Accepts no more work, and resolves when running work has ended. There is time to wait for
   * clients, until a bug ends the process; none at all if it drains for no time.
   */
  readonly stop: (outOfTime: AbortSignal) => Promise<void>;
}

/** A first signal drains and stops; a second of the same kind ends the process at once. */
export function stopOnSignal(
  log: Log,
  times: Pick<Config, 'HOLDFAST_DRAIN_MS' | 'HOLDFAST_SHUTDOWN_MS'>,
  { drain, stop }: Shutdown,
): void {
  let isStopping = false;
  const outOfTime = new AbortController();
  const end = async (signal: string, drainMs: number) => {
    if (drainMs === 0) outOfTime.abort();
    if (isStopping) return;
    isStopping = true;
    log.info({ signal, drainMs }, 'shutdown started');
    drain?.();
    if (drainMs > 0)
      await sleep(drainMs, undefined, { signal: outOfTime.signal }).catch(() => undefined);
    setTimeout(() => process.exit(1), times.HOLDFAST_SHUTDOWN_MS).unref();
    await stop(outOfTime.signal).then(
      () => process.exit(0),
      (error: Error) => {
        log.error({ err: error }, 'shutdown failed');
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => void end(signal, times.HOLDFAST_DRAIN_MS));
  // A bug outside any request: state may be wrong, so the process ends; nothing durable is at risk.
  process.on('uncaughtException', (error) => {
    log.error({ err: error }, UNHANDLED_ERROR);
    count('holdfast_bugs_total', { source: 'process' });
    void end('uncaughtException', 0);
  });
  process.on('unhandledRejection', (reason) => {
    const err = reason instanceof Error ? reason : new Error(String(reason));
    log.error({ err }, UNHANDLED_ERROR);
    count('holdfast_bugs_total', { source: 'process' });
    void end('unhandledRejection', 0);
  });
}
