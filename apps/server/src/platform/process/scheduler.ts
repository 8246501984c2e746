//! Runs jobs at their intervals, one run of each at a time, until stopped.
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventName } from '@holdfast/contract/events';
import { isRecovering } from '../database/database.ts';
import type { Log } from './log.ts';
import type { Waker } from './waker.ts';

type IntervalSetting = 'HOLDFAST_DEPOSIT_POLL_MS';

interface JobContext {
  readonly log: Log;
  readonly config: Readonly<Record<IntervalSetting, number>>;
}

export type JobNeed = 'writes' | 'sending' | 'nothing';

export interface Job<A> {
  readonly name: string;
  /** A number, or the setting that contains it. */
  readonly everyMs: number | IntervalSetting;
  /** Every source of its work also emits an event: without events, it polls only now and then. */
  readonly isWokenByEvents?: boolean;
  readonly description: string;
  /**
   * The state of the database's history that it needs: usually one that may be written. `sending`
   * needs one that has forgotten nothing; `nothing` runs in any.
   */
  readonly needs?: JobNeed;
  /** Every event that a run can emit. */
  readonly emits: readonly EventName[];
  /**
   * One run; returns how much it did, for the log. Safe to run on any number of workers at once.
   */
  readonly run: (app: A) => Promise<number>;
}

/** The poll interval of jobs that events wake: another worker may lead the log of the events. */
export const IDLE_MS = 500;
/** Until the need of a job is checked again. */
const UNMET_MS = 250;
/** After an event, more events are likely. */
const ACTIVE_MS = 2000;

export interface JobRunSettings {
  readonly waker?: Waker;
  /** Whether a job with this need may run now. */
  readonly isMet?: (need: JobNeed) => boolean;
}

export function runJobs<A extends JobContext>(
  app: A,
  jobs: readonly Job<A>[],
  { waker, isMet = () => true }: JobRunSettings = {},
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const loops = jobs.map(async (job) => {
    const everyMs = typeof job.everyMs === 'number' ? job.everyMs : app.config[job.everyMs];
    let activeUntil = 0;
    let seen = waker?.count;
    while (!signal.aborted) {
      const isRunnable = isMet(job.needs ?? 'writes');
      const done = isRunnable ? await runOnce(app, job) : 0;
      // At a start, the history of the database is not checked yet: a daily job must not wait for
      // a day.
      const pauseMs = isRunnable ? everyMs : Math.min(everyMs, UNMET_MS);
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
      if (waker === undefined || job.isWokenByEvents !== true) continue;
      if (done > 0 || waker.count !== seen) activeUntil = performance.now() + ACTIVE_MS;
      seen = waker.count;
      if (performance.now() > activeUntil) await waker.wait(IDLE_MS - everyMs, signal);
    }
  });
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}

async function runOnce<A extends JobContext>(app: A, job: Job<A>): Promise<number> {
  try {
    const done = await job.run(app);
    if (done > 0) app.log.info({ job: job.name, done }, 'job completed');
    return done;
  } catch (error) {
    // The history of the database was closed meanwhile; from now on the job waits.
    if (isRecovering(error)) return 0;
    app.log.error({ job: job.name, err: error }, 'job failed');
    return 0;
  }
}
