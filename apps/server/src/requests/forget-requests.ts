//! Drops the days of the request log that lie before the retention, and makes those to come.
import type pg from 'pg';
import type { Config } from '../config.ts';

export async function forgetRequests({
  pool,
  config,
}: {
  readonly pool: pg.Pool;
  readonly config: Pick<Config, 'HOLDFAST_REQUEST_LOG_DAYS'>;
}): Promise<number> {
  const {
    rows: [done],
  } = await pool.query<{ dropped: number }>('select keep_request_log($1) as dropped', [
    config.HOLDFAST_REQUEST_LOG_DAYS,
  ]);
  return done?.dropped ?? 0;
}
