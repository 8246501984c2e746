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

export async function runWriter(
  databaseUrl: string,
  name: string,
  random: SeededRandom,
  intent: Intent,
  pace: Pace,
): Promise<void> {
  const client = new Client({ connectionString: databaseUrl, application_name: `chaos ${name}` });
  await client.connect();
  try {
    await client.query('set role holdfast_api');
    let sequence = 0;
    while (!pace.isOver()) {
      const count = pace.claim(1 + random.below(EVENTS_MAX));
      if (count === 0) {
        await sleep(WAIT_MS);
        continue;
      }
      const marketplace = random.oneOf(intent.marketplaces);
      const events = Array.from({ length: count }, () => {
        sequence += 1;
        return intended(marketplace, name, sequence, random);
      });
      const isCommitted = await writeTransaction(client, marketplace, events, random);
      intent.transactions += 1;
      if (isCommitted) {
        intent.events.push(...events);
        pace.committed(count);
      } else {
        intent.rollbacks += 1;
        pace.giveBack(count);
      }
    }
  } finally {
    await client.end();
  }
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
  random: SeededRandom,
): Promise<boolean> {
  await client.query('begin');
  await client.query(`select set_config('app.marketplace_id', $1, true)`, [marketplace.number]);
  const holdMs = random.below(HOLD_MS_MAX + 1);
  for (const { eventType, aggregateId, payload, correlationIds, line } of events) {
    await client.query(
      `insert into outbox
         (marketplace_id, event_type, aggregate_id, payload, actor_id, correlation_id)
       values ($1, $2, $3, $4, $5, $6)`,
      [marketplace.number, eventType, aggregateId, payload, line, correlationIds[0]],
    );
    await sleep(holdMs / events.length);
  }
  const isCommitted = !random.percent(ROLLBACK_PERCENT);
  await client.query(isCommitted ? 'commit' : 'rollback');
  return isCommitted;
}
