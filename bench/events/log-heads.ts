//! Polls the heads of the logs as a reader would, to learn when an event could be read.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { type Percentiles, percentilesOf } from '../harness/figures.ts';
import type { Monitor } from '../harness/usage.ts';

const POLL_MS = 20;
/** A sample is enough for percentiles. */
const LAG_SAMPLES_MAX = 50_000;

interface Snapshot {
  /** Seconds since 1970 by the database's clock. */
  at: number;
  position: number;
}

export interface HeadWatch {
  stop(): Promise<Map<number, Snapshot[]>>;
}

/** The sum of the positions of all logs. */
export async function loggedCount(client: Monitor): Promise<number> {
  const { rows } = await client.query<{ logged: string }>(
    'select coalesce(sum(position), 0) as logged from event_head',
  );
  return Number(rows[0]?.logged);
}

/** Rows that wait: events, and audit rows without one. */
export async function waitingCount(client: Monitor): Promise<number> {
  const { rows } = await client.query<{ waiting: string }>(
    'select count(*) as waiting from outbox',
  );
  return Number(rows[0]?.waiting);
}

export async function watchHeads(databaseUrl: string): Promise<HeadWatch> {
  const client = new Client({ connectionString: databaseUrl });
  client.on('error', () => undefined); // The failed side reports the cause.
  await client.connect();
  const snapshots = new Map<number, Snapshot[]>();
  let isOver = false;
  const poll = async () => {
    const { rows } = await client.query<{ marketplace: number; position: number; at: number }>({
      name: 'heads',
      text: `select marketplace_id::int as marketplace, position::int,
        extract(epoch from clock_timestamp())::float8 as at from event_head`,
    });
    for (const { marketplace, position, at } of rows) {
      const seen = snapshots.get(marketplace) ?? [];
      if (seen.at(-1)?.position !== position) seen.push({ at, position });
      snapshots.set(marketplace, seen);
    }
  };
  const watching = (async () => {
    while (!isOver) {
      await poll();
      await sleep(POLL_MS);
    }
    await poll();
    await client.end();
  })();
  watching.catch(() => undefined);
  return {
    stop: async () => {
      isOver = true;
      await watching;
      return snapshots;
    },
  };
}

/**
 * Milliseconds between the writing of an event and its being there to be read, for events after
 * the given time. `written` is an expression over `event ev` in seconds since 1970.
 */
export async function lagsOf(
  client: Monitor,
  snapshots: ReadonlyMap<number, readonly Snapshot[]>,
  { written, from, since, until }: { written: string; from: string; since: number; until: number },
): Promise<Percentiles & { count: number }> {
  const { rows } = await client.query<{ marketplace: number; position: number; at: number }>(
    `select marketplace, position, at from (
       select ev.marketplace_id::int as marketplace, ev.position::int, ${written}::float8 as at
       from ${from}
       where ev.occurred_at >= to_timestamp($1)) timed
     where at between $1 and $2 order by random() limit ${LAG_SAMPLES_MAX}`,
    [since, until],
  );
  const lags = rows.map(({ marketplace, position, at }) => {
    const seen = snapshots.get(marketplace) ?? [];
    let [low, high] = [0, seen.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((seen[middle]?.position ?? 0) >= position) high = middle;
      else low = middle + 1;
    }
    return ((seen[low]?.at ?? Number.POSITIVE_INFINITY) - at) * 1000;
  });
  return { ...percentilesOf(lags), count: lags.length };
}
