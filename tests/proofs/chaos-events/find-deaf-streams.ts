//! Opens many streams at once on logs without readers and closes most of them early: the remaining
//! ones must receive the next event.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { SeededRandom } from '../../harness/random.ts';
import { within } from '../../harness/wait.ts';
import type { Marketplace } from './intent.ts';
import { sampleEvent } from './sample-events.ts';
import { listen } from './stream.ts';

const ROUNDS = 3;
const LEAVERS = 4;
const LEAVE_MS_MAX = 40;
const RECEIVE_MS_MAX = 2000;

/** No other consumer may read during this. */
export async function findDeafStreams(
  urls: readonly string[],
  marketplaces: readonly Marketplace[],
  monitor: Pool,
  random: SeededRandom,
): Promise<string[]> {
  const targets = urls.flatMap((url) => marketplaces.map(({ key }) => ({ url, key })));
  let deaf = 0;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const over = new AbortController();
    const staying = targets.map(({ url, key }) => {
      for (let at = 0; at < LEAVERS; at += 1)
        listen(url, key, over.signal, random.below(LEAVE_MS_MAX));
      return listen(url, key, over.signal);
    });
    await within(RECEIVE_MS_MAX, () => staying.every(({ isOpen }) => isOpen), 5);
    for (const marketplace of marketplaces) await write(monitor, marketplace, random);
    await within(RECEIVE_MS_MAX, () => staying.every(({ received }) => received > 0), 5);
    deaf += staying.filter(({ received }) => received === 0).length;
    over.abort();
    await sleep(100);
  }
  return deaf === 0 ? [] : [`${deaf} of ${targets.length * ROUNDS} open streams received nothing`];
}

async function write(monitor: Pool, { number }: Marketplace, random: SeededRandom): Promise<void> {
  const { eventType, aggregateId, payload } = sampleEvent('crowd', random);
  await monitor.query(
    `insert into outbox
       (marketplace_id, event_type, aggregate_id, payload, actor_id, correlation_id)
     values ($1, $2, $3, $4, 'crowd', $5)`,
    [number, eventType, aggregateId, JSON.stringify(payload), randomUUID()],
  );
}
