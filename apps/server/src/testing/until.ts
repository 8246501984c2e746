//! Waits for a condition outside the test, within a limit that counts only time in which the
//! machine ran.
import { setTimeout as sleep } from 'node:timers/promises';
import { startWatch } from '../../../cli/src/testing/machine-time.ts';

/** Returns how long it took. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  msMax = 25_000,
): Promise<number> {
  const ran = await startWatch();
  for (;;) {
    if (await isSo()) return ran();
    if (ran() > msMax) throw new Error(`it was not so within ${msMax} ms`);
    await sleep(20);
  }
}

/**
 * Retries until it does not throw; returns, or at the time limit throws, the result of the last
 * try.
 */
export async function eventually<T>(
  msMax: number,
  attempt: () => T | Promise<T>,
  everyMs = 50,
): Promise<T> {
  const ran = await startWatch();
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (ran() > msMax) throw error;
      await sleep(everyMs);
    }
  }
}
