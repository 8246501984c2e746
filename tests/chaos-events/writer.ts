//! A writer: one transaction after the other straight into the outbox, held open, sometimes rolled
//! back.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Chance } from '../harness/chance.ts';
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
  chance: Chance,
  intent: Intent,
  pace: Pace,
): Promise<void> {
  const client = new Client({ connectionString: databaseUrl, application_name: `chaos ${name}` });
  await client.connect();
  try {
    await client.query('set role holdfast_app');
    let sequence = 0;
    while (!pace.isOver()) {
      const count = pace.claim(1 + chance.below(EVENTS_MAX));
      if (count === 0) {
        await sleep(WAIT_MS);
        continue;
      }
      const marketplace = chance.oneOf(intent.marketplaces);
      const events = Array.from({ length: count }, () => {
        sequence += 1;
        return intended(marketplace, name, sequence, chance);
      });
      const isCommitted = await writeTransaction(client, marketplace, events, chance);
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
  chance: Chance,
): Required<IntendedEvent> {
  const { eventType, aggregateId, payload } = sampleEvent(`${line}-${sequence}`, chance);
  return {
    marketplaceId: marketplace.id,
    eventType,
    aggregateId,
    payload: JSON.stringify(payload),
    correlationIds: [randomUUID()],
    line,
  };
}

/** Rows of one transaction come at different times of it, so that writers' ids interleave. */
async function writeTransaction(
  client: Client,
  marketplace: Marketplace,
  events: readonly Required<IntendedEvent>[],
  chance: Chance,
): Promise<boolean> {
  await client.query('begin');
  await client.query(`select set_config('app.marketplace_id', $1, true)`, [marketplace.number]);
  const holdMs = chance.below(HOLD_MS_MAX + 1);
  for (const { eventType, aggregateId, payload, correlationIds, line } of events) {
    await client.query(
      `insert into outbox
         (marketplace_id, event_type, aggregate_id, payload, actor_id, correlation_id)
       values ($1, $2, $3, $4, $5, $6)`,
      [marketplace.number, eventType, aggregateId, payload, line, correlationIds[0]],
    );
    await sleep(holdMs / events.length);
  }
  const isCommitted = !chance.percent(ROLLBACK_PERCENT);
  await client.query(isCommitted ? 'commit' : 'rollback');
  return isCommitted;
}
