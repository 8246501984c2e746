//! In development time follows the sandbox: set its clock forward, and everything here is later
//! too.
import { type Clock, systemClock } from '@holdfast/kernel/clock';

const LOOK_EVERY_MS = 500;

/** Reads the sandbox's offset now and then; while it is away, the last one stands. */
export async function followWorldClock(sandboxUrl: string): Promise<Clock> {
  let offsetMs = 0;
  const look = async () => {
    const answer = await fetch(`${sandboxUrl}/control/clock`, {
      signal: AbortSignal.timeout(2000),
    });
    const told = (await answer.json()) as { offsetMs?: unknown };
    if (typeof told.offsetMs === 'number') offsetMs = told.offsetMs;
  };
  await look().catch(() => undefined);
  setInterval(() => void look().catch(() => undefined), LOOK_EVERY_MS).unref();
  return { now: () => systemClock.now() + offsetMs };
}
