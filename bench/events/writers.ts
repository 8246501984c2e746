//! Small business transactions: one event each, at a steady rate, with the time of each commit.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { monotonicMicros } from '../harness/usage.ts';
import { MARK, type Written } from './deliveries.ts';

/** Enough that waiting for the disk bounds no rate that one api process can carry. */
const WRITERS = 16;
/** A writer further behind than this skips ahead, and reports that it missed the rate. */
const BEHIND_MS_MAX = 1000;

export interface Writers {
  write(ratePerSecond: number, seconds: number): Promise<Written>;
  end(): Promise<void>;
}

/** The marketplaces are dealt out among the writers, so that each sees its events in one order. */
export async function openWriters(databaseUrl: string, marketplaces: number[]): Promise<Writers> {
  const clients = await Promise.all(
    Array.from({ length: Math.min(WRITERS, marketplaces.length) }, async () => {
      const client = new Client({ connectionString: databaseUrl });
      await client.connect();
      return client;
    }),
  );
  let next = 1;
  return {
    write: async (ratePerSecond, seconds) => {
      const total = Math.ceil(ratePerSecond * seconds);
      const written: Written = {
        first: next,
        marketplaces: new Uint32Array(total),
        committedAt: new Float64Array(total),
        perSecond: 0,
      };
      next += total;
      const startedAt = performance.now();
      const everyMs = 1000 / ratePerSecond;
      const work = async (client: Client, writer: number) => {
        const own = marketplaces.filter((_, at) => at % clients.length === writer);
        for (let at = writer; at < total; at += clients.length) {
          const dueMs = startedAt + at * everyMs - performance.now();
          if (dueMs > 0) await sleep(dueMs);
          if (dueMs < -BEHIND_MS_MAX) continue;
          const marketplace = own[Math.floor(at / clients.length) % own.length] ?? 0;
          written.marketplaces[at] = marketplace;
          await insertEvent(client, marketplace, written.first + at);
          written.committedAt[at] = monotonicMicros();
        }
      };
      await Promise.all(clients.map(work));
      const done = written.committedAt.filter((at) => at > 0).length;
      written.perSecond = (done * 1000) / Math.max(performance.now() - startedAt, seconds * 1000);
      return written;
    },
    end: async () => {
      await Promise.all(clients.map((client) => client.end()));
    },
  };
}

async function insertEvent(client: Client, marketplace: number, number: number): Promise<void> {
  const userId = `usr_${String(number).padStart(27, '0')}`;
  const payload = {
    userId,
    externalUserId: `${MARK}${number}`,
    email: `someone-${number}@marketplace.example`,
    type: 'BOTH',
    status: 'ACTIVE',
  };
  await client.query({
    name: 'insert event',
    text: `insert into outbox (marketplace_id, event_type, aggregate_id, payload, actor_id,
        correlation_id)
      values ($1, 'user.created', $2, $3, 'key_bench', gen_random_uuid())`,
    values: [marketplace, userId, JSON.stringify(payload)],
  });
}
