//! Waiting for something that happens elsewhere.
import { setTimeout as sleep } from 'node:timers/promises';

/** False when it was not so in time. */
export async function within(
  msMax: number,
  isSo: () => boolean | Promise<boolean>,
  everyMs = 50,
): Promise<boolean> {
  const giveUpAt = performance.now() + msMax;
  for (;;) {
    if (await isSo()) return true;
    if (performance.now() > giveUpAt) return false;
    await sleep(everyMs);
  }
}

/** Tries until it does not throw; then, or when time is up, as the last try ended. */
export async function eventually<T>(
  msMax: number,
  attempt: () => Promise<T>,
  everyMs = 50,
): Promise<T> {
  const giveUpAt = performance.now() + msMax;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > giveUpAt) throw error;
      await sleep(everyMs);
    }
  }
}
