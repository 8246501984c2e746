//! Purges the months of the log that are older than the retention: a background job.
import { instantText } from '@holdfast/kernel/clock';
import type { Transactor } from '../../platform/database/transact.ts';

const DAY_MS = 86_400_000;

export interface EventPurgeDeps extends Pick<Transactor, 'pool' | 'clock'> {
  readonly config: { readonly HOLDFAST_EVENT_RETENTION_DAYS: number };
}

export async function purgeEvents({ pool, clock, config }: EventPurgeDeps): Promise<number> {
  const retainedSince = instantText(clock.now() - config.HOLDFAST_EVENT_RETENTION_DAYS * DAY_MS);
  const {
    rows: [dropped],
  } = await pool.query<{ count: number }>('select drop_event_months($1) as count', [retainedSince]);
  return dropped?.count ?? 0;
}
