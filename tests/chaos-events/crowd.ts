//! A crowd comes to a stream that nobody read, and most of it leaves at the door: those who stay
//! must hear what happens next.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Chance } from '../harness/chance.ts';
import { within } from '../harness/wait.ts';
import type { Marketplace } from './intent.ts';
import { sampleEvent } from './sample-events.ts';
import { listen } from './stream.ts';

const ROUNDS = 3;
const LEAVERS = 4;
const LEAVE_MS_MAX = 40;
const HEAR_MS_MAX = 2000;

/** Nobody else may read meanwhile. */
export async function findDeafStreams(
  urls: readonly string[],
  marketplaces: readonly Marketplace[],
  monitor: Pool,
  chance: Chance,
): Promise<string[]> {
  const places = urls.flatMap((url) => marketplaces.map(({ key }) => ({ url, key })));
  let deaf = 0;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const over = new AbortController();
    const staying = places.map(({ url, key }) => {
      for (let at = 0; at < LEAVERS; at += 1)
        listen(url, key, over.signal, chance.below(LEAVE_MS_MAX));
      return listen(url, key, over.signal);
    });
    await within(HEAR_MS_MAX, () => staying.every(({ isOpen }) => isOpen), 5);
    for (const marketplace of marketplaces) await write(monitor, marketplace, chance);
    await within(HEAR_MS_MAX, () => staying.every(({ heard }) => heard > 0), 5);
    deaf += staying.filter(({ heard }) => heard === 0).length;
    over.abort();
    await sleep(100);
  }
  return deaf === 0 ? [] : [`${deaf} of ${places.length * ROUNDS} open streams were deaf`];
}

async function write(monitor: Pool, { number }: Marketplace, chance: Chance): Promise<void> {
  const { eventType, aggregateId, payload } = sampleEvent('crowd', chance);
  await monitor.query(
    `insert into outbox
       (marketplace_id, event_type, aggregate_id, payload, actor_id, correlation_id)
     values ($1, $2, $3, $4, 'crowd', $5)`,
    [number, eventType, aggregateId, JSON.stringify(payload), randomUUID()],
  );
}
