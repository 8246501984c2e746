//! Waiting before another try: random within a growing bound, so that two that collided part ways.
import { setTimeout as sleep } from 'node:timers/promises';
import { randomBytes } from '@holdfast/kernel/random';

const MS_MAX = 256;

/** Give or take a fifth. */
export function aboutMs(usual: number): number {
  const [chance = 0] = randomBytes(1);
  return Math.round(usual * (0.8 + (0.4 * chance) / 255));
}

/** Up to 8, 16, 32 … milliseconds. */
export async function backOff(attempt: number): Promise<void> {
  const [chance = 0] = randomBytes(1);
  await sleep((chance * Math.min(MS_MAX, 2 ** (attempt + 2))) / 256);
}
