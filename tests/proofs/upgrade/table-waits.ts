//! The longest time that a session of the service waited for a table: the part of a stall that a
//! migration causes, apart from a busy machine.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

interface TableWaits extends AsyncDisposable {
  /** In milliseconds, since the last call. */
  takeLongest(): number;
}

const EVERY_MS = 20;

export async function watchTableWaits(databaseUrl: string): Promise<TableWaits> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  let longest = 0;
  let isOver = false;
  const watch = async () => {
    while (!isOver) {
      const { rows } = await client.query(`
        select coalesce(max(extract(epoch from clock_timestamp() - waitstart) * 1000), 0)::float as ms
        from pg_locks join pg_stat_activity using (pid)
        where not granted and locktype = 'relation' and datname = current_database()
          and application_name not like 'holdfast migrate%'`);
      longest = Math.max(longest, rows[0].ms);
      await sleep(EVERY_MS);
    }
  };
  const watching = watch();
  return {
    takeLongest: () => {
      const taken = longest;
      longest = 0;
      return taken;
    },
    [Symbol.asyncDispose]: async () => {
      isOver = true;
      await watching;
      await client.end();
    },
  };
}
