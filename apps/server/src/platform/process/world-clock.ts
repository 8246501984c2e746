//! In development the clock follows the sandbox: setting the sandbox forward moves time here too.
import { type Clock, systemClock } from '@holdfast/kernel/clock';

const POLL_INTERVAL_MS = 500;

/** Reads the sandbox's offset at intervals; while it is unavailable, the last offset stays. */
export async function trackWorldClock(sandboxUrl: string): Promise<Clock> {
  let offsetMs = 0;
  const poll = async () => {
    const response = await fetch(`${sandboxUrl}/control/clock`, {
      signal: AbortSignal.timeout(2000),
    });
    const body = (await response.json()) as { offsetMs?: unknown };
    if (typeof body.offsetMs === 'number') offsetMs = body.offsetMs;
  };
  await poll().catch(() => undefined);
  setInterval(() => void poll().catch(() => undefined), POLL_INTERVAL_MS).unref();
  return { now: () => systemClock.now() + offsetMs };
}
