//! Runs jobs at their intervals, one run of each at a time, until stopped.
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventName } from '@holdfast/contract/events';
import type { Log } from './log.ts';

export interface Job<A> {
  readonly name: string;
  readonly everyMs: number | ((app: A) => number);
  readonly means: string;
  /** Every event that a run can emit. */
  readonly emits: readonly EventName[];
  /**
   * One run; returns how much it did, for the log. Safe to run on any number of workers at once.
   */
  readonly run: (app: A) => Promise<number>;
}

export function runJobs<A extends { readonly log: Log }>(
  app: A,
  jobs: readonly Job<A>[],
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const loops = jobs.map(async (job) => {
    const everyMs = typeof job.everyMs === 'number' ? job.everyMs : job.everyMs(app);
    while (!stopping.signal.aborted) {
      try {
        const done = await job.run(app);
        if (done > 0) app.log.info({ job: job.name, done }, 'run job');
      } catch (error) {
        app.log.error({ job: job.name, reason: (error as Error).message }, 'fail job');
      }
      await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  });
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}
