//! Whether the database takes writes, for readiness. Over a connection of its own: a pool that is
//! used up by requests is no sign of a lost database.
import type pg from 'pg';
import type { Config } from '../config/config.ts';
import type { Log } from '../process/log.ts';
import { hasDiskBeenFull, openPool, setDiskFull } from './database.ts';

const REPLY_MS_MAX = 2000;

export interface WriteProbe {
  isWritable(): Promise<boolean>;
  close(): Promise<void>;
}

export function openWriteProbe(config: Config, log: Log): WriteProbe {
  const pool = openPool(config, log, { max: 1, query_timeout: REPLY_MS_MAX });
  return { isWritable: () => isWritable(pool), close: () => pool.end() };
}

async function isWritable(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ up: boolean }>(`
    select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as up`);
  if (rows[0]?.up !== true) return false;
  if (hasDiskBeenFull()) await useDisk(pool);
  return true;
}

/**
 * Throws while the disk is full. A sort that does not fit into memory writes to the disk of the
 * data, and leaves nothing there.
 */
async function useDisk(pool: pg.Pool): Promise<void> {
  await pool.query(`
    begin; set local work_mem = '64kB';
    select count(*) from (select repeat(n::text, 64) as text from generate_series(1, 4000) n
      order by 1 offset 1) sorted;
    commit`);
  setDiskFull(false);
}
