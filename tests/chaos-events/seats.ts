//! Whether every stream was given back: a key may open as many as it may, at every api process.
import { setTimeout as sleep } from 'node:timers/promises';
import { within } from '../harness/wait.ts';
import type { Marketplace } from './intent.ts';
import { listen } from './stream.ts';

const GIVEN_BACK_MS = 500;
const OPEN_MS_MAX = 3000;

/** Says which key has lost how many of its streams. Nobody else may read meanwhile. */
export async function findLostSeats(
  urls: readonly string[],
  marketplaces: readonly Marketplace[],
  seatsOfEach: number,
): Promise<string[]> {
  await sleep(GIVEN_BACK_MS);
  const lost: string[] = [];
  for (const url of urls) {
    for (const { id, key } of marketplaces) {
      const opened = await countOpened(url, key, seatsOfEach);
      if (opened < seatsOfEach) lost.push(`${seatsOfEach - opened} streams of ${id} are lost`);
    }
  }
  return lost;
}

async function countOpened(url: string, key: string, wanted: number): Promise<number> {
  const over = new AbortController();
  const all = Array.from({ length: wanted }, () => listen(url, key, over.signal));
  await within(OPEN_MS_MAX, () => all.every(({ isOpen, end }) => isOpen || end !== undefined), 10);
  over.abort();
  await Promise.all(all.map(({ ended }) => ended));
  return all.filter(({ isOpen }) => isOpen).length;
}
