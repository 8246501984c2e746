//! A writer: one transaction after the other directly into the outbox, held open, sometimes rolled
//! back.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { SeededRandom } from '../../harness/random.ts';
import type { IntendedEvent, Intent, Marketplace } from './intent.ts';
import type { Pace } from './pace.ts';
import { sampleEvent } from './sample-events.ts';

const HOLD_MS_MAX = 50;
const EVENTS_MAX = 3;
const ROLLBACK_PERCENT = 10;
const WAIT_MS = 10;

/** How a transaction ends. */
type End = 'commit' | 'rollback';

interface Writer extends AsyncDisposable {
  /** Writes this many events of the marketplace in one transaction. */
  write(marketplace: Marketplace, count: number, end: End): Promise<void>;
}

export async function runWriter(
  databaseUrl: string,
  name: string,
  random: SeededRandom,
  intent: Intent,
  pace: Pace,
): Promise<void> {
  await using writer = await openWriter(databaseUrl, name, random, intent);
  while (!pace.isOver()) {
    const count = pace.claim(1 + random.below(EVENTS_MAX));
    if (count === 0) {
      await sleep(WAIT_MS);
      continue;
    }
    const end = random.percent(ROLLBACK_PERCENT) ? 'rollback' : 'commit';
    await writer.write(random.oneOf(intent.marketplaces), count, end);
    if (end === 'commit') pace.committed(count);
    else pace.giveBack(count);
  }
}

/** One event in each of the marketplaces, even if the writers may write no more for now. */
export async function writeOneEach(
  databaseUrl: string,
  name: string,
  random: SeededRandom,
  intent: Intent,
  marketplaces: readonly Marketplace[],
): Promise<void> {
  await using writer = await openWriter(databaseUrl, name, random, intent);
  for (const marketplace of marketplaces) await writer.write(marketplace, 1, 'commit');
}

async function openWriter(
  databaseUrl: string,
  name: string,
  random: SeededRandom,
  intent: Intent,
): Promise<Writer> {
  const client = new Client({ connectionString: databaseUrl, application_name: `chaos ${name}` });
  await client.connect();
  await client.query('set role holdfast_api');
  let sequence = 0;
  return {
    async write(marketplace, count, end) {
      const events = Array.from({ length: count }, () => {
        sequence += 1;
        return intended(marketplace, name, sequence, random);
      });
      await writeTransaction(client, marketplace, events, random.below(HOLD_MS_MAX + 1), end);
      intent.transactions += 1;
      if (end === 'commit') intent.events.push(...events);
      else intent.rollbacks += 1;
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}

function intended(
  marketplace: Marketplace,
  line: string,
  sequence: number,
  random: SeededRandom,
): Required<IntendedEvent> {
  const { eventType, aggregateId, payload } = sampleEvent(`${line}-${sequence}`, random);
  return {
    marketplaceId: marketplace.id,
    eventType,
    aggregateId,
    payload: JSON.stringify(payload),
    correlationIds: [randomUUID()],
    line,
  };
}

/** Rows of a transaction are inserted at different times, so that the ids of writers interleave. */
async function writeTransaction(
  client: Client,
  marketplace: Marketplace,
  events: readonly Required<IntendedEvent>[],
  holdMs: number,
  end: End,
): Promise<void> {
  await client.query('begin');
  await client.query(`select set_config('app.marketplace_id', $1, true)`, [marketplace.number]);
  for (const { eventType, aggregateId, payload, correlationIds, line } of events) {
    await client.query(
      `insert into outbox
         (marketplace_id, event_type, aggregate_id, payload, actor_id, correlation_id)
       values ($1, $2, $3, $4, $5, $6)`,
      [marketplace.number, eventType, aggregateId, payload, line, correlationIds[0]],
    );
    await sleep(holdMs / events.length);
  }
  await client.query(end);
}
