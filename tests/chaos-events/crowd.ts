//! A crowd comes to a stream that nobody read, and most of it leaves at the door: those who stay
//! must hear what happens next.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Chance } from '../harness/chance.ts';
import type { Marketplace } from './intent.ts';
import { sampleEvent } from './sample-events.ts';
import { openStream } from './stream.ts';

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
  const places = urls.flatMap((url) => marketplaces.map((marketplace) => ({ url, marketplace })));
  let deaf = 0;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const over = new AbortController();
    const heard = places.map(({ url, marketplace: { key } }) => {
      const headers = { authorization: `Bearer ${key}` };
      const leave = { isTorn: false, isSlow: false };
      for (let at = 0; at < LEAVERS; at += 1)
        void open(url, headers, { ...leave, lifeMs: chance.below(LEAVE_MS_MAX) }, over.signal);
      return open(url, headers, leave, over.signal);
    });
    await Promise.all(
      heard.map(({ isOpen }) =>
        Promise.race([isOpen, sleep(HEAR_MS_MAX, undefined, { ref: false })]),
      ),
    );
    for (const marketplace of marketplaces) await write(monitor, marketplace, chance);
    await Promise.race([
      Promise.all(heard.map(({ isHeard }) => isHeard)),
      sleep(HEAR_MS_MAX, undefined, { ref: false }),
    ]);
    deaf += heard.filter(({ messages }) => messages() === 0).length;
    over.abort();
    await sleep(100);
  }
  return deaf === 0 ? [] : [`${deaf} of ${places.length * ROUNDS} open streams were deaf`];

  function open(
    url: string,
    headers: Record<string, string>,
    plan: Parameters<typeof openStream>[2],
    signal: AbortSignal,
  ) {
    const opened = Promise.withResolvers<void>();
    const received = Promise.withResolvers<void>();
    let messages = 0;
    const listener = {
      opened: () => opened.resolve(),
      received: () => {
        messages += 1;
        received.resolve();
      },
    };
    void openStream(`${url}/api/v1/events`, headers, plan, chance, listener, signal);
    return { isOpen: opened.promise, isHeard: received.promise, messages: () => messages };
  }
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
