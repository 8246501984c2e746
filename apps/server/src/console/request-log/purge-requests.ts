//! Drops the partitions of the request log past retention, and creates the next ones.
import type pg from 'pg';
import type { Config } from '../../platform/config/config.ts';

export async function purgeRequests({
  pool,
  config,
}: {
  readonly pool: pg.Pool;
  readonly config: Pick<Config, 'HOLDFAST_REQUEST_LOG_DAYS'>;
}): Promise<number> {
  const {
    rows: [done],
  } = await pool.query<{ dropped: number }>(
    'select maintain_request_log_partitions($1) as dropped',
    [config.HOLDFAST_REQUEST_LOG_DAYS],
  );
  return done?.dropped ?? 0;
}
