//! Solvency through the API, as the owner of the deployment reads it.
import { type ApiTarget, call, dataOf } from '../../harness/api.ts';
import { within } from '../../harness/wait.ts';

interface Solvency {
  readonly status: string;
  readonly takenAt: string | null;
  readonly payoutsPaused: boolean;
  readonly pauseReason: string | null;
  readonly deployment: { readonly groups: readonly object[] } | null;
}

export interface SolvencyWatch {
  /** Waits for a reading that was taken since; a breach or a pause is a fault. */
  awaitReading(since: number): Promise<string[]>;
  /** The same, and nothing may be in transit. */
  expectBalanced(since: number): Promise<string[]>;
}

const READING_MS_MAX = 120_000;

export function openWatch(target: ApiTarget): SolvencyWatch {
  const path = '/solvency';
  const awaitStatus = async (since: number, isMet: (status: string) => boolean) => {
    let last = dataOf<Solvency>(path, await call(target, { path }));
    const isTaken = await within(
      READING_MS_MAX,
      async () => {
        last = dataOf<Solvency>(path, await call(target, { path }));
        return last.takenAt !== null && Date.parse(last.takenAt) > since && isMet(last.status);
      },
      250,
    );
    const { status, takenAt, payoutsPaused, pauseReason, deployment } = last;
    return [
      ...(isTaken ? [] : [`solvency is ${status} at ${takenAt}`]),
      ...(status === 'BREACH' ? [`a breach at ${takenAt}: ${JSON.stringify(deployment)}`] : []),
      ...(payoutsPaused ? [`payouts are paused: ${pauseReason}`] : []),
    ];
  };
  return {
    awaitReading: (since) => awaitStatus(since, () => true),
    expectBalanced: (since) => awaitStatus(since, (status) => status === 'BALANCED'),
  };
}
