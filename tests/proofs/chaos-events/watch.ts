//! Watches the logs grow: the longest time that committed events waited for a position.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

export interface Watch {
  /** The number of sequenced events of these marketplaces; of all when none are named. */
  logged(marketplaces?: readonly string[]): number;
  /** The longest time in which events of a marketplace waited and none was sequenced. */
  readonly silenceMs: number;
  stop(): Promise<void>;
}

interface Head {
  /** The marketplace's row number. */
  readonly marketplace: string;
  readonly position: number;
  readonly isWaiting: boolean;
}

const POLL_INTERVAL_MS = 15;

export async function startWatch(databaseUrl: string): Promise<Watch> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'chaos watch' });
  await client.connect();
  const heads = new Map<string, Head>();
  const quietSince = new Map<string, number>();
  let silenceMs = 0;
  let isOver = false;
  const poll = async () => {
    const polledAt = performance.now();
    for (const head of await readHeads(client)) {
      const { marketplace, position, isWaiting } = head;
      const since = quietSince.get(marketplace);
      if (since !== undefined) silenceMs = Math.max(silenceMs, polledAt - since);
      const hasGrown = position > (heads.get(marketplace)?.position ?? 0);
      if (!isWaiting) quietSince.delete(marketplace);
      else if (hasGrown || since === undefined) quietSince.set(marketplace, polledAt);
      heads.set(marketplace, head);
    }
  };
  const watching = (async () => {
    while (!isOver) {
      await poll();
      await sleep(POLL_INTERVAL_MS);
    }
  })();
  // Awaited only at the end, where its error is reported.
  watching.catch(() => undefined);
  return {
    logged: (marketplaces = [...heads.keys()]) =>
      marketplaces.reduce((sum, number) => sum + (heads.get(number)?.position ?? 0), 0),
    get silenceMs() {
      return silenceMs;
    },
    async stop() {
      isOver = true;
      try {
        await watching;
      } finally {
        await client.end();
      }
    },
  };
}

async function readHeads(client: Client): Promise<Head[]> {
  const { rows } = await client.query<Head>(`
    with waiting as (
      select distinct marketplace_id from outbox where event_type is not null)
    select m.id::text as marketplace, coalesce(h.position, 0)::float8 as position,
      w.marketplace_id is not null as "isWaiting"
    from marketplace m left join event_head h on h.marketplace_id = m.id
    left join waiting w on w.marketplace_id = m.id`);
  return rows;
}
