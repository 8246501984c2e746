//! What goes wrong in a round: an api process is killed, or connections to PostgreSQL end.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { LocalSet, ServerProcess } from '../../apps/cli/src/local-set.ts';
import type { Crowd, Picker } from './client.ts';
import type { Watch } from './watch.ts';

/** kill -9 of one api process; another takes its place. Returns the number of kills. */
export async function killApi(
  set: LocalSet,
  alive: ServerProcess[],
  crowd: Crowd,
  watch: Watch,
): Promise<number> {
  const place = crowd.pick(alive.length);
  const victim = alive[place];
  if (victim === undefined) throw new Error('no api process to kill');
  watch.struck(crowd.requests);
  await victim.kill('SIGKILL');
  const successor = await set.startApi();
  watch.replacedBy(successor.url);
  alive[place] = successor;
  crowd.urls = alive.map((api) => api.url);
  return 1;
}

/** Ends the connections of the database, one at random every few moments, until it is over. */
export async function endBackends(
  monitor: Client,
  pick: Picker,
  isOver: () => boolean,
): Promise<number> {
  let ended = 0;
  do {
    const { rowCount } = await monitor.query(`
      select pg_terminate_backend(pid) from (
        select pid from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()
          and backend_type = 'client backend'
        order by random() limit 1) as unlucky`);
    ended += rowCount ?? 0;
    await sleep(50 + pick(250));
  } while (!isOver());
  return ended;
}
