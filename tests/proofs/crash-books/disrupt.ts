//! The disruption of a round: an api process is killed, or connections to PostgreSQL are ended.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { SeededRandom } from '../../harness/random.ts';
import type { OpenSet } from '../../harness/set.ts';
import type { ClientGroup } from './client.ts';
import type { Watch } from './watch.ts';

/** kill -9 of one api process; another replaces it, at its own address. */
export async function killApi(
  { set, apis }: OpenSet,
  group: ClientGroup,
  watch: Watch,
): Promise<{ kills: number }> {
  const victim = group.random.oneOf(apis);
  watch.onDisruption(group.requests);
  await victim.kill('SIGKILL');
  const successor = await set.startApi();
  watch.replacedBy(successor.url);
  apis[apis.indexOf(victim)] = successor;
  group.urls = apis.map((api) => api.url);
  return { kills: 1 };
}

/** Ends one database connection every few moments, active ones before idle ones. */
export async function endBackends(
  monitor: Pool,
  random: SeededRandom,
  isOver: () => boolean,
): Promise<{ kills: number; atWork: number }> {
  const ended = { kills: 0, atWork: 0 };
  do {
    const { rows } = await monitor.query<{ state: string | null }>(`
      select state, pg_terminate_backend(pid) from (
        select pid, state from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()
          and backend_type = 'client backend'
        order by state is not distinct from 'active' desc, random() limit 1) as unlucky`);
    ended.kills += rows.length;
    ended.atWork += rows.filter((row) => row.state === 'active').length;
    await sleep(20 + random.below(150));
  } while (!isOver());
  return ended;
}
