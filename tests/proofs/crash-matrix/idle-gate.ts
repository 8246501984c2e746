//! Delays crashes while a cell takes long: a cell must survive one crash, not those of all others.
import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than the sweeper needs to find lost work. */
export const PATIENCE_MS = 15_000;
const POLL_INTERVAL_MS = 100;

export interface IdleGate {
  /** Starts with the request of a cell; the returned function marks its end. */
  start(isLong?: boolean): () => void;
  /**
   * Resolves when no cell has been running for long. A cell waits for it before its crash. One that
   * takes long by design runs alone: the crash of another would end its wait.
   */
  wait(isLong?: boolean): Promise<void>;
  /** How often a cell had to wait. */
  waits(): number;
}

/** With the clock of the process, unless a test has its own. */
export function openIdleGate(now: () => number = () => performance.now()): IdleGate {
  const moving = new Set<{ readonly since: number; readonly isLong: boolean }>();
  let longWaiting = 0;
  let waits = 0;
  const isDisturbed = () =>
    longWaiting > 0 ||
    [...moving].some(({ since, isLong }) => isLong || now() - since > PATIENCE_MS);
  const waitAlone = async () => {
    longWaiting += 1;
    while (moving.size > 0) await sleep(POLL_INTERVAL_MS);
    longWaiting -= 1;
  };
  return {
    start: (isLong = false) => {
      const cell = { since: now(), isLong };
      moving.add(cell);
      return () => void moving.delete(cell);
    },
    wait: async (isLong = false) => {
      if (isLong) return waitAlone();
      if (isDisturbed()) waits += 1;
      while (isDisturbed()) await sleep(POLL_INTERVAL_MS);
    },
    waits: () => waits,
  };
}
