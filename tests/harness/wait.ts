//! Waiting for something that happens elsewhere, as long as the machine runs for it.
import { setTimeout as sleep } from 'node:timers/promises';
import { startWatch } from '../../apps/cli/src/testing/machine-time.ts';

/** False when it was not so in time. */
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
