//! Delays between retries: random within a growing bound, so that two callers in conflict separate.
import { setTimeout as sleep } from 'node:timers/promises';
import { randomBytes } from '@holdfast/kernel/random';

const MS_MAX = 256;

/** Give or take a fifth. */
export function jitteredMs(usual: number): number {
  const [random = 0] = randomBytes(1);
  return Math.round(usual * (0.8 + (0.4 * random) / 255));
}

/** Up to 8, 16, 32 … milliseconds. */
export async function backOff(attempt: number): Promise<void> {
  const [random = 0] = randomBytes(1);
  await sleep((random * Math.min(MS_MAX, 2 ** (attempt + 2))) / 256);
}
