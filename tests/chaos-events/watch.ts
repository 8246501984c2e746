//! Watches the logs grow: how long committed events ever waited while their log stood still.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

export interface Watch {
  /** How many events of these marketplaces have their place; of all when none are named. */
  logged(marketplaces?: readonly string[]): number;
  /** The longest time in which events of a marketplace waited and none was given its place. */
  readonly silenceMs: number;
  stop(): Promise<void>;
}

interface Head {
  /** The marketplace's number. */
  readonly marketplace: string;
  readonly position: number;
  readonly isWaiting: boolean;
}

const LOOK_MS = 15;

export async function startWatch(databaseUrl: string): Promise<Watch> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'chaos watch' });
  await client.connect();
  const heads = new Map<string, Head>();
  const quietSince = new Map<string, number>();
  let silenceMs = 0;
  let isOver = false;
  const look = async () => {
    const lookedAt = performance.now();
    for (const head of await readHeads(client)) {
      const { marketplace, position, isWaiting } = head;
      const since = quietSince.get(marketplace);
      if (since !== undefined) silenceMs = Math.max(silenceMs, lookedAt - since);
      const hasGrown = position > (heads.get(marketplace)?.position ?? 0);
      if (!isWaiting) quietSince.delete(marketplace);
      else if (hasGrown || since === undefined) quietSince.set(marketplace, lookedAt);
      heads.set(marketplace, head);
    }
  };
  const watching = (async () => {
    while (!isOver) {
      await look();
      await sleep(LOOK_MS);
    }
  })();
  // Nobody waits for it before the end; what went wrong is told there.
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
