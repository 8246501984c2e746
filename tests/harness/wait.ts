//! Waits for a condition; the limit counts only the time in which the machine runs.
import { setTimeout as sleep } from 'node:timers/promises';
import { startWatch } from '../../apps/cli/src/testing/machine-time.ts';

/** False if the condition was not met in time. */
export async function within(
  msMax: number,
  isSo: () => boolean | Promise<boolean>,
  everyMs = 50,
): Promise<boolean> {
  const ran = await startWatch();
  for (;;) {
    if (await isSo()) return true;
    if (ran() > msMax) return false;
    await sleep(everyMs);
  }
}
