//! Whether every stream was given back: a key may open as many as it may, at every api process.
import { setTimeout as sleep } from 'node:timers/promises';
import { chanceOf } from '../harness/chance.ts';
import { within } from '../harness/wait.ts';
import type { Marketplace } from './intent.ts';
import { openStream } from './stream.ts';

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
      const opened = await countOpened(`${url}/api/v1/events`, key, seatsOfEach);
      if (opened < seatsOfEach) lost.push(`${seatsOfEach - opened} streams of ${id} are lost`);
    }
  }
  return lost;
}

async function countOpened(url: string, key: string, wanted: number): Promise<number> {
  const over = new AbortController();
  let opened = 0;
  let refused = 0;
  const streams = Array.from({ length: wanted }, async () => {
    const listener = {
      opened: () => {
        opened += 1;
      },
      received: () => undefined,
    };
    const headers = { authorization: `Bearer ${key}` };
    const plan = { isTorn: false, isSlow: false };
    const end = await openStream(url, headers, plan, chanceOf(0, 0), listener, over.signal);
    if (end.how === 'refused') refused += 1;
  });
  await within(OPEN_MS_MAX, () => opened + refused >= wanted, 10);
  over.abort();
  await Promise.all(streams);
  return opened;
}
