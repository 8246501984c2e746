//! Waits until nothing moves: no operation open, nobody on the way, nothing left to be told.
import { setTimeout as sleep } from 'node:timers/promises';
import { MOVING } from '../auditor/invariants/rest.ts';
import type { Stage } from './stage.ts';
import { countWebhooks } from './world.ts';

export const CONVERGED_MS_MAX = 60_000;
const LOOK_EVERY_MS = 250;
/** Longer than the longest pause between two attempts of a webhook. */
const WEBHOOKS_MS_MAX = 150_000;
const LOOKS_MS_MAX = 180_000;

export interface Convergence {
  readonly seconds: number;
  /** What still moved when time was up. */
  readonly moving: readonly string[];
}

export async function converge({ monitor }: Pick<Stage, 'monitor'>): Promise<Convergence> {
  const begunAt = performance.now();
  for (;;) {
    const { rows } = await monitor.query<{ kind: string; id: string; status: string }>(MOVING);
    const ms = performance.now() - begunAt;
    if (rows.length === 0 || ms > CONVERGED_MS_MAX)
      return {
        seconds: ms / 1000,
        moving: rows.map(({ kind, id, status }) => `${kind} ${id} ${status}`),
      };
    await sleep(LOOK_EVERY_MS);
  }
}

/** An end that a notice has told is looked at once more, after a fifth of the payment's age. */
export async function awaitLooks({ monitor }: Pick<Stage, 'monitor'>): Promise<void> {
  const giveUpAt = performance.now() + LOOKS_MS_MAX;
  while (performance.now() < giveUpAt) {
    const { rows } = await monitor.query(`select from (${MOVING}) moving where kind = 'look'`);
    if (rows.length === 0) return;
    await sleep(1000);
  }
}

/** A notice that comes late must change nothing either: they are all let in before the verdict. */
export async function awaitWebhooks(sandbox: string): Promise<void> {
  const giveUpAt = performance.now() + WEBHOOKS_MS_MAX;
  while (performance.now() < giveUpAt) {
    if ((await countWebhooks(sandbox)).pending === 0) return;
    await sleep(1000);
  }
}
