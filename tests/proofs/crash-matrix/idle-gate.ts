//! Delays crashes while a cell takes long: a cell must survive one crash, not those of all others.
import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than the sweeper needs to find lost work. */
const PATIENCE_MS = 15_000;
const POLL_INTERVAL_MS = 100;

export interface IdleGate {
  /** Starts with the request of a cell; the returned function marks its end. */
  start(): () => void;
  /** Resolves when no cell has been running for long. A cell waits for it before its crash. */
  wait(): Promise<void>;
  /** How often a cell had to wait. */
  waits(): number;
}

export function openIdleGate(patienceMs: number = PATIENCE_MS): IdleGate {
  const moving = new Set<{ readonly since: number }>();
  let waits = 0;
  const isDisturbed = () => [...moving].some(({ since }) => performance.now() - since > patienceMs);
  return {
    start: () => {
      const cell = { since: performance.now() };
      moving.add(cell);
      return () => void moving.delete(cell);
    },
    wait: async () => {
      if (isDisturbed()) waits += 1;
      while (isDisturbed()) await sleep(POLL_INTERVAL_MS);
    },
    waits: () => waits,
  };
}
