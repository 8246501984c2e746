//! Fills the outbox: events with their payload over many marketplaces, and balance
//! events of one busy marketplace that point at journal entries and audit rows.
import type { OpenSet } from '../../tests/harness/set.ts';
import { seed } from '../books/seed.ts';
import type { Monitor } from '../harness/usage.ts';

export interface OutboxCase {
  name: string;
  /** pgbench's script for one business transaction. */
  script: string;
  variables: Record<string, string>;
  /** Fills the outbox in bulk. */
  fill(client: Monitor, rows: number): Promise<void>;
  /** When an event was written, in seconds since 1970, and the tables that know. */
  written: { written: string; from: string };
}

const MARKETPLACES = 100;
const USERS = 500;
const FILL_AT_ONCE = 5000;

const PAYLOAD = `('{"userId":"usr_000000000000000000000000000","externalUserId":"'
  || extract(epoch from clock_timestamp())::text
  || '","email":"someone@marketplace.example","type":"BOTH","status":"ACTIVE"}')::json`;

export async function payloadCase({ monitor }: OpenSet): Promise<OutboxCase> {
  const { rows } = await monitor.query<{ id: string }>(
    `insert into marketplace (public_id, name, created_at)
     select left(id_floor('mkt', now()), 15) || lpad(n::text, 16, '0'), 'Bench ' || n, now()
     from generate_series(1, $1::int) n returning id`,
    [MARKETPLACES],
  );
  const low = Math.min(...rows.map((row) => Number(row.id)));
  const insert = `insert into outbox (marketplace_id, event_type, aggregate_id, payload, actor_id,
    correlation_id)`;
  const values = `'user.created', 'usr_000000000000000000000000000', ${PAYLOAD}, 'key_bench',
    gen_random_uuid()`;
  return {
    name: `events with payload, ${MARKETPLACES} marketplaces`,
    script: `\\set marketplace random(:low, :high)\n${oneLine(insert)} values (:marketplace, ${oneLine(values)});\n`,
    variables: { low: String(low), high: String(low + MARKETPLACES - 1) },
    fill: async (client, count) => {
      await client.query(
        `${insert} select $1 + n % ${MARKETPLACES}, ${values} from generate_series(1, $2::int) n`,
        [low, count],
      );
    },
    written: { written: "(ev.payload->>'externalUserId')", from: 'event ev' },
  };
}

export async function balanceCase(set: OpenSet): Promise<OutboxCase> {
  const { variables } = await seed(set, USERS);
  const post = (account: string, rest: string) =>
    `select bench.post_one('credit', ${account}, ${rest})`;
  return {
    name: 'balance events of one marketplace, with entries and audit rows',
    script: `\\set account random(:low, :high)\n${post(':account', ':marketplace, :house, :actor, :prefix')};\n`,
    variables,
    fill: async (client, count) => {
      const { low, marketplace, house, actor, prefix } = variables;
      for (let done = 0; done < count; done += FILL_AT_ONCE) {
        await client.query(
          `${post(`$1 + n % ${USERS}`, '$2, $3, $4, $5')} from generate_series(1, $6::int) n`,
          [low, marketplace, house, actor, prefix, Math.min(FILL_AT_ONCE, count - done)],
        );
      }
    },
    written: {
      written: 'extract(epoch from en.created_at)',
      from: 'event ev join entry en on en.marketplace_id = ev.marketplace_id and en.id = ev.entry_id',
    },
  };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ');
}
