//! What goes wrong in a round: an api process is killed, or connections to PostgreSQL end.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { LocalSet, ServerProcess } from '../../apps/cli/src/local-set.ts';
import type { Crowd, Picker } from './client.ts';
import type { Watch } from './watch.ts';

/** kill -9 of one api process; another takes its place. */
export async function killApi(
  set: LocalSet,
  alive: ServerProcess[],
  crowd: Crowd,
  watch: Watch,
): Promise<{ kills: number }> {
  const place = crowd.pick(alive.length);
  const victim = alive[place];
  if (victim === undefined) throw new Error('no api process to kill');
  watch.struck(crowd.requests);
  await victim.kill('SIGKILL');
  const successor = await set.startApi();
  watch.replacedBy(successor.url);
  alive[place] = successor;
  crowd.urls = alive.map((api) => api.url);
  return { kills: 1 };
}

/** Ends connections of the database, every few moments one, those at work before idle ones. */
export async function endBackends(
  monitor: Client,
  pick: Picker,
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
    await sleep(20 + pick(150));
  } while (!isOver());
  return ended;
}
