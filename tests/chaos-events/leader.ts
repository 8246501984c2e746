//! Who leads: the workers whose connections hold the sequencer's locks, one per shard.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';

export interface Leader {
  /** Of the worker process. */
  readonly pid: number;
  /** Of its connection: `active`, `idle`, `idle in transaction`. */
  readonly state: string;
  readonly shards: readonly number[];
  /** The numbers of the marketplaces in those shards. */
  readonly marketplaces: readonly string[];
}

const SHARDS = 8;
const LOOK_MS = 10;

/** Whoever leads most comes first. */
export async function findLeaders(monitor: Client): Promise<Leader[]> {
  const { rows } = await monitor.query<Leader>(`
    select substring(a.application_name from '\\d+$')::int as pid, a.state,
      array_agg(l.objid::int order by l.objid) as shards,
      array(select m.id::text from marketplace m
        where m.id % ${SHARDS} = any (array_agg(l.objid::bigint))) as marketplaces
    from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'advisory' and l.granted and a.datname = current_database()
      and a.application_name ~ '^holdfast sequencer \\d+$'
    group by a.pid, a.application_name, a.state
    order by count(*) desc, a.pid`);
  return rows;
}

/** Waits until someone leads. */
export async function awaitLeader(
  monitor: Client,
  patienceMs: number,
): Promise<Leader | undefined> {
  const giveUpAt = performance.now() + patienceMs;
  while (performance.now() < giveUpAt) {
    const [leader] = await findLeaders(monitor);
    if (leader !== undefined) return leader;
    await sleep(LOOK_MS);
  }
  return undefined;
}

/** Waits until others lead everything that this one led. */
export async function awaitSuccessors(
  monitor: Client,
  fallen: Leader,
  patienceMs: number,
): Promise<boolean> {
  const giveUpAt = performance.now() + patienceMs;
  while (performance.now() < giveUpAt) {
    const others = (await findLeaders(monitor)).filter(({ pid }) => pid !== fallen.pid);
    const led = new Set(others.flatMap(({ shards }) => shards));
    if (fallen.shards.every((shard) => led.has(shard))) return true;
    await sleep(LOOK_MS);
  }
  return false;
}
