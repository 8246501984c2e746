//! Leaves a cell that takes long in peace: it is to outlive one death, not those of all others.
import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than the sweeper needs to find what was lost. */
const PATIENCE_MS = 15_000;
const LOOK_EVERY_MS = 100;

export interface Calm {
  /** From the call of a cell until nothing of it moves; ends it. */
  begin(): () => void;
  /** Resolves when nobody has been moving for long. Whoever is about to kill waits for it. */
  wait(): Promise<void>;
  /** How often somebody had to wait. */
  waits(): number;
}

export function calmAmongCells(patienceMs: number = PATIENCE_MS): Calm {
  const moving = new Set<{ readonly since: number }>();
  let waits = 0;
  const isDisturbed = () => [...moving].some(({ since }) => performance.now() - since > patienceMs);
  return {
    begin: () => {
      const cell = { since: performance.now() };
      moving.add(cell);
      return () => void moving.delete(cell);
    },
    wait: async () => {
      if (isDisturbed()) waits += 1;
      while (isDisturbed()) await sleep(LOOK_EVERY_MS);
    },
    waits: () => waits,
  };
}
