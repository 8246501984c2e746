//! COPY of a marketplace's log to nowhere, through one lasting psql whose CPU can be measured.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Monitor } from '../harness/usage.ts';

const NAME = 'holdfast bench copy';
const DONE = 'copied';

export interface Copier {
  /** psql and its backend. */
  readonly pids: { psql: number; backend: number };
  copy(): Promise<void>;
  close(): void;
}

export async function startCopier(
  monitor: Monitor,
  databaseUrl: string,
  { marketplace, since }: { marketplace: string; since: string },
): Promise<Copier> {
  const child = spawn('psql', ['-q', '-X', '-v', 'ON_ERROR_STOP=1', databaseUrl], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, PGAPPNAME: NAME },
  });
  const lines = createInterface({ input: child.stdout });
  const run = (command: string) =>
    new Promise<void>((resolve, reject) => {
      const onExit = () => reject(new Error('psql ended by itself'));
      child.once('exit', onExit);
      lines.once('line', (line) => {
        child.off('exit', onExit);
        if (line === DONE) resolve();
        else reject(new Error(line));
      });
      child.stdin.write(`${command}\n\\echo ${DONE}\n`);
    });
  await run('select 1 where false \\g /dev/null');
  const { rows } = await monitor.query<{ pid: number }>(
    'select pid from pg_stat_activity where application_name = $1 and datname = current_database()',
    [NAME],
  );
  const query =
    'select position, occurred_at, id, event_type, aggregate_id, entry_id, payload, actor_id, ' +
    `correlation_id from event where marketplace_id = ${marketplace} ` +
    `and occurred_at > '${since}' order by occurred_at`;
  return {
    pids: { psql: child.pid ?? 0, backend: rows[0]?.pid ?? 0 },
    copy: () => run(`\\copy (${query}) to '/dev/null'`),
    close: () => child.stdin.end(),
  };
}
