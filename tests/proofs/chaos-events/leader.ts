//! Finds the leaders: workers whose connections hold the sequencer's locks, one per shard.
import type { Pool } from 'pg';
import { within } from '../../harness/wait.ts';

export interface Leader {
  /** Process id of the worker. */
  readonly pid: number;
  /** State of its connection: `active`, `idle`, `idle in transaction`. */
  readonly state: string;
  readonly shards: readonly number[];
  /** The numbers of the marketplaces in those shards. */
  readonly marketplaces: readonly string[];
}

const SHARDS = 8;
const POLL_INTERVAL_MS = 10;

/** The worker that leads most marketplaces comes first: some of them are written to. */
export async function findLeaders(monitor: Pool): Promise<Leader[]> {
  const { rows } = await monitor.query<Leader>(`
    select substring(a.application_name from '\\d+$')::int as pid, a.state,
      array_agg(l.objid::int order by l.objid) as shards,
      array(select m.id::text from marketplace m
        where m.id % ${SHARDS} = any (array_agg(l.objid::bigint))) as marketplaces
    from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'advisory' and l.granted and a.datname = current_database()
      and a.application_name ~ '^holdfast sequencer \\d+$'
    group by a.pid, a.application_name, a.state
    order by a.pid`);
  return rows.toSorted((one, other) => other.marketplaces.length - one.marketplaces.length);
}

/** Waits until some worker leads. */
export async function awaitLeader(monitor: Pool, patienceMs: number): Promise<Leader | undefined> {
  let leader: Leader | undefined;
  const isLed = async () => {
    [leader] = await findLeaders(monitor);
    return leader !== undefined;
  };
  await within(patienceMs, isLed, POLL_INTERVAL_MS);
  return leader;
}

/** Waits until other workers lead everything that this one led. */
export function awaitSuccessors(
  monitor: Pool,
  fallen: Leader,
  patienceMs: number,
): Promise<boolean> {
  const areThere = async () => {
    const others = (await findLeaders(monitor)).filter(({ pid }) => pid !== fallen.pid);
    const led = new Set(others.flatMap(({ shards }) => shards));
    return fallen.shards.every((shard) => led.has(shard));
  };
  return within(patienceMs, areThere, POLL_INTERVAL_MS);
}
