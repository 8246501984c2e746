//! Checks that every stream was released: each key can open its full number at every api process.
import { setTimeout as sleep } from 'node:timers/promises';
import { within } from '../../harness/wait.ts';
import type { Marketplace } from './intent.ts';
import { listen } from './stream.ts';

const GIVEN_BACK_MS = 500;
const OPEN_MS_MAX = 3000;

/** Reports the keys that lost streams. No other consumer may read during this. */
export async function findLeakedStreams(
  urls: readonly string[],
  marketplaces: readonly Marketplace[],
  streamsPerKey: number,
): Promise<string[]> {
  await sleep(GIVEN_BACK_MS);
  const lost: string[] = [];
  for (const url of urls) {
    for (const { id, key } of marketplaces) {
      const opened = await countOpened(url, key, streamsPerKey);
      if (opened < streamsPerKey) lost.push(`${streamsPerKey - opened} streams of ${id} are lost`);
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
