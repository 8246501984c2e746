//! Waits for something that happens elsewhere, and says how long that took.
import { setTimeout as sleep } from 'node:timers/promises';

export async function until(isSo: () => Promise<boolean>, msMax = 25_000): Promise<number> {
  const begun = performance.now();
  for (;;) {
    if (await isSo()) return performance.now() - begun;
    if (performance.now() - begun > msMax) throw new Error(`it was not so within ${msMax} ms`);
    await sleep(20);
  }
}
